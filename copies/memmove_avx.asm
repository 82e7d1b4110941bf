; SPDX-License-Identifier: BSD-2-Clause
;
; memmove by AVX; between 16 and 32 bytes a pair of halves.

%include "copy.inc"
%include "memmove.inc"

routine memmove_avx, "memmove by 32 bytes, direction by overlap"
needs   "avx"
uses    "ymm"
widths  32, 64
source  "glibc memmove, avx_unaligned forms"

%macro body 0
        cmp     rcx, 16
        jb      .short
        cmp     rcx, 32
        jb      .half
        memmove_vectors vmovdqu, vmovdqa, vmovdqu, ymm, 32
.half:
        both_ends vmovdqu, vmovdqu, xmm, 16, 1
.short:
        memmove_short
.left:
        vzeroupper
        mov     rax, rcx
%endmacro

forms "literal memmove", plain
