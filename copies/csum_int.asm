; SPDX-License-Identifier: BSD-2-Clause
;
; The checksum of a packet as it is copied: the bytes are in a register anyway, and adc
; adds a word a cycle. A fault within a chain of adc leaves the sum half done: the one
; from before the block is kept.

%include "copy.inc"
%include "csum.inc"

routine csum_int, "copy and Internet checksum in one pass, adc"
needs   ""
uses    ""
widths  32, 64
source  "Linux csum_partial_copy and csum_and_copy_from_user; RFC 1071"

%macro body 0
        xor     ebx, ebx
.block:
        cmp     rcx, 64
        jb      .words
        mov     rdx, rbx
        xor     eax, eax                ; clears the carry
        %assign at 0
        %rep 64 / WORD_BYTES
        load    .redo, mov rax, [rsi + at]
        adc     rbx, rax
        store   .redo, mov [rdi + at], rax
        %assign at at + WORD_BYTES
        %endrep
        adc     rbx, 0
        advance 64
        jmp     .block
.redo:
        mov     rbx, rdx
        csum_rest
        mov     rax, rcx
%endmacro

forms "literal csum", plain, to_user, from_user, from_user_zero, in_user
