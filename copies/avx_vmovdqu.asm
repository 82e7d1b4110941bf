; SPDX-License-Identifier: BSD-2-Clause
;
; Thirty-two bytes a move. vzeroupper at the end: without it the SSE code that comes
; after pays for the upper halves, on some processors at each instruction.

%include "copy.inc"
%include "vector.inc"

routine avx_vmovdqu, "vmovdqu by 4 x 32 bytes"
needs   "avx"
uses    "ymm"
widths  32, 64
source  "glibc memcpy, avx_unaligned forms"

%macro body 0
        vector_copy vmovdqu, vmovdqa, vmovdqu, ymm, 32, 4
        vzeroupper
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
