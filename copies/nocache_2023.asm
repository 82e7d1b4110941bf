; SPDX-License-Identifier: BSD-2-Clause
;
; The non-temporal copy as it is today: the destination is aligned first, so that each
; movnti fills its own word of a write-combining buffer; 64 bytes a step, then words,
; then a dword; less than that at either end goes through the cache.

%include "copy.inc"

routine nocache_2023, "movnti to an aligned destination, cached head and tail"
needs   "sse2"
uses    ""
widths  32, 64
source  "Linux __copy_user_nocache and copy_user_uncached, 2023"

%macro body 0
        cmp     rcx, WORD_BYTES
        jb      .bytes
        copy_head rdi, WORD_BYTES
        cmp     rcx, 64
        jb      .words
.block:
        %assign at 0
        %rep 64 / (2 * WORD_BYTES)
        load    .bytes, mov rax, [rsi + at]
        load    .bytes, mov rdx, [rsi + at + WORD_BYTES]
        store   .bytes, movnti [rdi + at], rax
        store   .bytes, movnti [rdi + at + WORD_BYTES], rdx
        %assign at at + 2 * WORD_BYTES
        %endrep
        advance 64
        cmp     rcx, 64
        jae     .block
.words:
        cmp     ecx, WORD_BYTES
        jb      .dword
.word:
        load    .bytes, mov rax, [rsi]
        store   .bytes, movnti [rdi], rax
        advance WORD_BYTES
        cmp     ecx, WORD_BYTES
        jae     .word
.dword:
        cmp     ecx, 4
        jb      .bytes
        load    .bytes, mov eax, [rsi]
        store   .bytes, movnti [rdi], eax
        advance 4
        copy_rest
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
