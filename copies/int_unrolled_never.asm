; SPDX-License-Identifier: BSD-2-Clause
;
; The control of the three policies: the block copy's code with its blocks left out,
; so what is left is rep movsd and the cost of a jump.

%include "copy.inc"
%include "int_unrolled.inc"

routine int_unrolled_never, "the rest of int_unrolled alone, as a control"
needs   ""
uses    ""
widths  32, 64
source  "Linux i386, 2002: the control"

%macro body 0
        int_unrolled NEVER, TOUCH, mov, EXACT
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
