; SPDX-License-Identifier: BSD-2-Clause
;
; The fixup takes the dword that faulted for copied.

%include "copy.inc"

routine faulty_residue_word_short, "a residue one word too small"
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
        lea     rcx, [rdx + rcx * 4 - 4]
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user, in_user
