; SPDX-License-Identifier: BSD-2-Clause
;
; What a C library's memcpy is: below 256 bytes no loop, only pairs of overlapping
; vectors; then a loop with aligned stores; from REP_FROM on rep movsb; from NT_FROM on
; around the cache, since a copy larger than the cache cannot stay in it anyway. Both
; thresholds have been wrong in public, so they are parameters.

%include "copy.inc"
%include "short.inc"

routine libc_like, "by size: overlapping vectors, loop, rep movsb, non-temporal"
needs   "avx"
uses    "ymm"
widths  64
source  "glibc memcpy with AVX, its thresholds as parameters"

%ifdef ROUTINE_HERE

; vector_loop store, fixup, done: the first vector, then four a step to aligned lines,
; then the four that end with the copy.
%macro vector_loop 3
        load_run  %2, vmovdqu, ymm, 1, 32
        store_run %2, vmovdqu, ymm, 1, 32
        advance_to rdi, 32
%%block:
        load_run  %2, vmovdqu, ymm, 4, 32
        store_run %2, %1, ymm, 4, 32
        advance 128
        cmp     rcx, 128
        ja      %%block
        load_run  %2, vmovdqu, ymm, 4, 32, rsi + rcx - 128
        store_run %2, vmovdqu, ymm, 4, 32, rdi + rcx - 128
        xor     ecx, ecx
        jmp     %3
%endmacro

%macro body 0
        cmp     rcx, 16
        jb      .short
        cmp     rcx, 32
        jbe     .to_32
        cmp     rcx, 64
        jbe     .to_64
        cmp     rcx, 128
        jbe     .to_128
        cmp     rcx, 256
        jbe     .to_256
        cmp     rcx, PARAM(NT_FROM)
        jae     .around
        cmp     rcx, PARAM(REP_FROM)
        jae     .bytes
        vector_loop vmovdqa, .bytes, .left
.around:
        vector_loop vmovntdq, .fence, .fence
.to_32:
        both_ends vmovdqu, vmovdqu, xmm, 16, 1
.to_64:
        both_ends vmovdqu, vmovdqu, ymm, 32, 1
.to_128:
        both_ends vmovdqu, vmovdqu, ymm, 32, 2
.to_256:
        both_ends vmovdqu, vmovdqu, ymm, 32, 4
.short:
        short_copy
.fence:
        sfence
        copy_rest
        vzeroupper
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
