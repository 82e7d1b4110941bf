; SPDX-License-Identifier: BSD-2-Clause
;
; A byte is added when it is loaded, before it is known that it can be stored.

%include "copy.inc"
%include "csum.inc"

routine faulty_sum_of_claimed_too_late, "the checksum takes in the byte that faulted"
needs   ""
uses    ""
widths  32, 64
source  "csum_int"

%macro body 0
        xor     ebx, ebx
        mov     rdx, rcx
        test    rcx, rcx
        jz      .left
.byte:
        load    .left, movzx eax, byte [rsi]
        csum_add rax
        ror     rbx, 8
        store   .undo, mov [rdi], al
        advance 1
        jnz     .byte
        jmp     .left
.undo:
        rol     rbx, 8
.left:
        sub     edx, ecx
        and     edx, 1
        jz      .even
        rol     rbx, 8
.even:
        %if WIDTH == 64
        mov     rax, rbx
        shr     rax, 32
        add     ebx, eax
        adc     ebx, 0
        %endif
        mov     eax, ebx
        shr     eax, 16
        add     bx, ax
        adc     bx, 0
        movzx   edx, bx
        mov     rax, rcx
%endmacro

forms "literal csum", to_user
