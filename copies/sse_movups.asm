; SPDX-License-Identifier: BSD-2-Clause
;
; Sixteen bytes a move, loads where they lie, stores aligned. On the Pentium III and 4
; movups is two loads and slower than that where it crosses a line: these are the
; processors for which palignr and lddqu were made.

%include "copy.inc"
%include "vector.inc"

routine sse_movups, "movups loads, movaps stores, 4 x 16 bytes"
needs   "sse"
uses    "xmm"
widths  32, 64
source  "Intel optimisation manual, memory copy"

%macro body 0
        vector_copy movups, movaps, movups, xmm, 16, 4
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
