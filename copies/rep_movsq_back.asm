; SPDX-License-Identifier: BSD-2-Clause
;
; Backward by qwords. Here to show what DF = 1 costs: a qword a step, where forwards rep movs
; moves lines.

%include "copy.inc"
%include "backward.inc"

routine rep_movsq_back, "rep movsq from the last qword down (DF = 1)"
needs   ""
uses    ""
widths  64
source  "SDM volume 1, string operations; the memmove of the i386 kernels"

%ifdef ROUTINE_HERE

%macro body 0
        backward 8
        mov     rax, rcx
%endmacro

forms "literal", plain, from_user_zero
forms "safe", to_user, from_user, in_user

%endif
