; SPDX-License-Identifier: BSD-2-Clause
;
; avx_vmovdqu around the cache: two stores fill a line.

%include "copy.inc"
%include "vector.inc"

routine avx_vmovntdq, "vmovdqu loads, vmovntdq stores"
needs   "avx"
uses    "ymm"
widths  32, 64
source  "glibc memcpy above its non-temporal threshold"

%macro body 0
        vector_copy vmovdqu, vmovntdq, vmovdqu, ymm, 32, 4
        vzeroupper
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
