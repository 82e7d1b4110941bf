; SPDX-License-Identifier: BSD-2-Clause
;
; The end of the range is compared with the limit, and the carry on the way to it is
; not looked at.

%include "copy.inc"

routine faulty_range_wraps, "a range around the end of the address space is let through"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%unmacro form_check_range 0
%macro form_check_range 0
        mov     rax, rcx
        cmp     rcx, 0x7fffffff
        ja      .form_return
        mov     rbx, rsi
        add     rbx, rcx
        cmp     rbx, PARAM(USER_LIMIT)
        ja      .form_zero
%endmacro

%macro body 0
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", from_user_zero
