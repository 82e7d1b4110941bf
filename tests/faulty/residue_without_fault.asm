; SPDX-License-Identifier: BSD-2-Clause
;
; A copy of whole dwords returns the tail that it had set aside, and no fault is
; anywhere.

%include "copy.inc"

routine faulty_residue_without_fault, "a residue although nothing faulted"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        mov     rdx, rcx
        shr     rcx, 2
        user    .left, rep movsd
        mov     rcx, rdx
        and     ecx, 3
        user    .left, rep movsb
        mov     rcx, rdx
        and     ecx, 3
.left:
        mov     rax, rcx
%endmacro

forms "safe", plain
