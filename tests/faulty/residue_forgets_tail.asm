; SPDX-License-Identifier: BSD-2-Clause
;
; The bytes after the last dword, set aside before rep movsd, are not added in the
; fixup.

%include "copy.inc"

routine faulty_residue_forgets_tail, "the residue leaves the tail out"
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
        shl     rcx, 2
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user, in_user
