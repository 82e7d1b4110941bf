; SPDX-License-Identifier: BSD-2-Clause
;
; A zeroing form that was made from one that is none.

%include "copy.inc"

routine faulty_zero_missing, "does not zero"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        user    .left, rep movsb
.left:
        smap_site SMAP_CLAC
        mov     rax, rcx
        jmp     .form_return
%endmacro

forms "literal", from_user_zero
