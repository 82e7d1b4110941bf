; SPDX-License-Identifier: BSD-2-Clause
;
; avx_vmovdqu that leaves the upper halves of its registers as they are. The copy itself
; gets a little faster; who pays is the next user of SSE and the next xsaveopt.

%include "copy.inc"
%include "vector.inc"

routine avx_vmovdqu_dirty, "avx_vmovdqu without vzeroupper"
needs   "avx"
uses    "ymm"
widths  32, 64
source  "avx_vmovdqu, to see what vzeroupper costs and saves"

%macro body 0
        vector_copy vmovdqu, vmovdqa, vmovdqu, ymm, 32, 4
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
