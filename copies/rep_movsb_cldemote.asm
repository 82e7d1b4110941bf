; SPDX-License-Identifier: BSD-2-Clause
;
; For a copy that another core will read: each line of the destination is hinted out
; to the shared cache. A hint faults on nothing.

%include "copy.inc"

routine rep_movsb_cldemote, "rep movsb, then cldemote of the destination"
needs   "cldemote"
uses    ""
widths  64
source  "SDM volume 2, CLDEMOTE"

%ifdef ROUTINE_HERE

%macro body 0
        mov     rbx, rdi
        user    .left, rep movsb
.left:
        cmp     rbx, rdi
        jae     .demoted
        cldemote [rbx]
        or      rbx, 63
        inc     rbx
        jmp     .left
.demoted:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
