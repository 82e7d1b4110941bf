; SPDX-License-Identifier: BSD-2-Clause
;
; sse2_movdqu4 unrolled to two lines a step: more loads in flight, fewer branches, a
; longer remainder.

%include "copy.inc"
%include "vector.inc"

routine sse2_movdqu8, "movdqu loads, movdqa stores, 8 x 16 bytes"
needs   "sse2"
uses    "xmm"
widths  32, 64
source  "glibc memcpy, sse2 forms"

%macro body 0
        vector_copy movdqu, movdqa, movdqu, xmm, 16, 8
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
