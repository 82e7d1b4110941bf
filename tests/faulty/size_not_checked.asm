; SPDX-License-Identifier: BSD-2-Clause
;
; After an early fault it zeroes the residue: gigabytes of the kernel.

%include "copy.inc"

routine faulty_size_not_checked, "a size above INT_MAX is not refused"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%unmacro form_check_range 0
%macro form_check_range 0
        mov     rax, rcx
        mov     rbx, rsi
        add     rbx, rcx
        jc      .form_zero
        cmp     rbx, PARAM(USER_LIMIT)
        ja      .form_zero
%endmacro

%macro body 0
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", from_user_zero
