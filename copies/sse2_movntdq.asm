; SPDX-License-Identifier: BSD-2-Clause
;
; sse2_movdqu4 around the cache.

%include "copy.inc"
%include "vector.inc"

routine sse2_movntdq, "movdqu loads, movntdq stores"
needs   "sse2"
uses    "xmm"
widths  32, 64
source  "glibc memcpy above its non-temporal threshold"

%macro body 0
        vector_copy movdqu, movntdq, movdqu, xmm, 16, 4
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
