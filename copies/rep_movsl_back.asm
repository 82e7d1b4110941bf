; SPDX-License-Identifier: BSD-2-Clause
;
; Backward by dwords. Here to show what DF = 1 costs: a dword a step, where forwards rep movs
; moves lines.

%include "copy.inc"
%include "backward.inc"

routine rep_movsl_back, "rep movsl from the last dword down (DF = 1)"
needs   ""
uses    ""
widths  32, 64
source  "SDM volume 1, string operations; the memmove of the i386 kernels"

%macro body 0
        backward 4
        mov     rax, rcx
%endmacro

forms "literal", plain, from_user_zero
forms "safe", to_user, from_user, in_user
