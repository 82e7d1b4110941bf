; SPDX-License-Identifier: BSD-2-Clause
;
; copy_from_user without its access_ok: the fault never comes, and a user reads the
; kernel.

%include "copy.inc"

routine faulty_range_not_checked, "a kernel address is copied from"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%unmacro form_check_range 0
%macro form_check_range 0
        mov     rax, rcx
        cmp     rcx, 0x7fffffff
        ja      .form_return
%endmacro

%macro body 0
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", from_user_zero
