; SPDX-License-Identifier: BSD-2-Clause
;
; An empty stack is what it needs, and the control word goes with it.

%include "copy.inc"

routine faulty_x87_reset, "fninit in front of a copy through the x87"
needs   "fpu"
uses    "x87"
widths  32, 64
source  "x87_fild"

%macro body 0
        fninit
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
