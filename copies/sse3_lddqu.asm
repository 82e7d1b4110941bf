; SPDX-License-Identifier: BSD-2-Clause
;
; lddqu reads 32 aligned bytes and shifts, instead of two loads that meet at a line's
; edge: made for the Pentium 4. Since then it is movdqu by another name.

%include "copy.inc"
%include "vector.inc"

routine sse3_lddqu, "lddqu loads, movdqa stores"
needs   "sse3"
uses    "xmm"
widths  32, 64
source  "Intel, SSE3: lddqu for loads that cross a line"

%macro body 0
        vector_copy lddqu, movdqa, movdqu, xmm, 16, 4
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
