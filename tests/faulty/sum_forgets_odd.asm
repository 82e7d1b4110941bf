; SPDX-License-Identifier: BSD-2-Clause
;
; Sums words; the last byte of an odd size is copied and not summed.

%include "copy.inc"
%include "csum.inc"

routine faulty_sum_forgets_odd, "the checksum leaves out the last byte of an odd size"
needs   ""
uses    ""
widths  32, 64
source  "csum_int"

%macro body 0
        xor     ebx, ebx
.pair:
        cmp     rcx, 2
        jb      .last
        movzx   eax, word [rsi]
        mov     [rdi], ax
        csum_add rax
        advance 2
        jmp     .pair
.last:
        rep     movsb
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

forms "literal csum", plain
