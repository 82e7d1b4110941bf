; SPDX-License-Identifier: BSD-2-Clause
;
; sse_movups by the integer moves of SSE2: the same bytes, another encoding, and on some
; processors another execution domain.

%include "copy.inc"
%include "vector.inc"

routine sse2_movdqu4, "movdqu loads, movdqa stores, 4 x 16 bytes"
needs   "sse2"
uses    "xmm"
widths  32, 64
source  "glibc memcpy, sse2 forms"

%macro body 0
        vector_copy movdqu, movdqa, movdqu, xmm, 16, 4
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
