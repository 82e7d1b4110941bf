; SPDX-License-Identifier: BSD-2-Clause
;
; The bytes of the unit that faulted are tried one by one, and one of them faults.

%include "copy.inc"

routine faulty_fixup_faults, "the fixup touches user memory without an entry"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        mov     rdx, rcx
        and     edx, 3
        shr     rcx, 2
        user    .units, rep movsd
        mov     rcx, rdx
        user    .left, rep movsb
        jmp     .left
.units:
        lea     rcx, [rdx + rcx * 4]
        rep     movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user
