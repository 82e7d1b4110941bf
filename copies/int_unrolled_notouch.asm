; SPDX-License-Identifier: BSD-2-Clause
;
; int_unrolled_always without the loads ahead: what is the touching worth? Much where
; there is no hardware prefetcher, a little less than nothing where there is one.

%include "copy.inc"
%include "int_unrolled.inc"

routine int_unrolled_notouch, "integer blocks without the touch loads"
needs   ""
uses    ""
widths  32, 64
source  "int_unrolled, without its touch loads"

%macro body 0
        int_unrolled ALWAYS, NO_TOUCH, mov, EXACT
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
