; SPDX-License-Identifier: BSD-2-Clause
;
; Blocks by movnti, the rest by rep movsb: what is lost with the power is the last
; bytes (persistent memory, 2016 and again 2017).

%include "copy.inc"

routine faulty_cached_tail, "the tail of a non-temporal copy stays in the cache"
needs   "sse2 clflushopt"
uses    ""
widths  32, 64
source  "pmem_clflushopt"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
.block:
        %assign at 0
        %rep 64 / WORD_BYTES
        load    .bytes, mov rax, [rsi + at]
        store   .bytes, movnti [rdi + at], rax
        %assign at at + WORD_BYTES
        %endrep
        advance 64
        cmp     rcx, 64
        jae     .block
        copy_rest
        sfence
        mov     rax, rcx
%endmacro

forms "literal nt", plain
