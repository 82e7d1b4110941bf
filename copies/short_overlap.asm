; SPDX-License-Identifier: BSD-2-Clause
;
; Most copies of a kernel are short, and there a loop's mispredicted end or the start
; of rep movs costs more than the bytes. Up to two words: one pair of loads and of
; stores, chosen by size. Up to four words: a pair at either end. Longer ones go by
; rep movsb.

%include "copy.inc"
%include "short.inc"

routine short_overlap, "short copies by overlapping head and tail words"
needs   ""
uses    ""
widths  32, 64
source  "glibc and Linux memcpy, small sizes"

%macro body 0
        cmp     rcx, WORD_BYTES * 2
        jb      .short
        cmp     rcx, WORD_BYTES * 4
        ja      .bytes
        load    .bytes, mov rax, [rsi]
        load    .bytes, mov rdx, [rsi + WORD_BYTES]
        store   .bytes, mov [rdi], rax
        store   .bytes, mov [rdi + WORD_BYTES], rdx
        load    .bytes, mov rax, [rsi + rcx - WORD_BYTES * 2]
        load    .bytes, mov rdx, [rsi + rcx - WORD_BYTES]
        store   .bytes, mov [rdi + rcx - WORD_BYTES * 2], rax
        store   .bytes, mov [rdi + rcx - WORD_BYTES], rdx
        xor     ecx, ecx
        jmp     .left
.short:
        short_copy
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
