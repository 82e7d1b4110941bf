; SPDX-License-Identifier: BSD-2-Clause
;
; rep_headlast with one store more: the first byte goes first, so a destination that
; faults there faults before the rep has stored anything behind it. A head that
; reaches into a page that faults is met by the rep at that page's first byte.

%include "copy.inc"
%include "headlast.inc"

routine rep_headlast_exact, "rep_headlast with a probe of the first byte"
needs   ""
uses    ""
widths  64
source  "rep_headlast, mended"

%ifdef ROUTINE_HERE

%macro body 0
        headlast 1
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
