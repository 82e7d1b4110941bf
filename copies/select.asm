; SPDX-License-Identifier: BSD-2-Clause
;
; The choice made at boot: a table, filled by measuring on this machine, says for each
; kind, size class and alignment class which form to go on to. It costs a bit scan, a
; load and an indirect jump. What stands in the table must claim what select does:
; literal, and no FPU state changed. Until there is a table it is rep movsb.

%include "copy.inc"
%define SELECT_TABLE SELECT
%include "select.inc"

routine select, "the form that a table chooses, by size and alignment"
needs   ""
uses    ""
widths  32, 64
source  "Linux patches for the Athlon, 2002: choose at boot, as for csum and RAID"

%macro body 0
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
