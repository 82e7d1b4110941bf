; SPDX-License-Identifier: BSD-2-Clause
;
; FreeBSD's way to an aligned destination: the head is saved in two registers and
; stored after the rep. Where the first page of the destination faults and the next
; does not, the rep has stored there by the time the head faults: safe, not literal.

%include "copy.inc"
%include "headlast.inc"

routine rep_headlast, "rep movsb, its unaligned head saved and stored last"
needs   ""
uses    ""
widths  64
source  "FreeBSD amd64 memmove, copyin, copyout"

%ifdef ROUTINE_HERE

%macro body 0
        headlast 0
        mov     rax, rcx
%endmacro

forms "literal", plain, from_user, from_user_zero
forms "safe", to_user, in_user

%endif
