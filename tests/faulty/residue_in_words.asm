; SPDX-License-Identifier: BSD-2-Clause
;
; After a fault in rep movsd rcx counts dwords, and was taken for bytes (a copy on
; Xen, 2024).

%include "copy.inc"

routine faulty_residue_in_words, "the residue counts dwords as bytes"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        mov     rdx, rcx
        and     edx, 3
        shr     rcx, 2
        user    .left, rep movsd
        mov     rcx, rdx
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user, in_user
