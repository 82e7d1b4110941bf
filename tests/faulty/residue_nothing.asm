; SPDX-License-Identifier: BSD-2-Clause
;
; All or nothing, which the contract allows for the first byte alone.

%include "copy.inc"

routine faulty_residue_nothing, "nothing copied whenever it faults"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        mov     rdx, rcx
        user    .fault, rep movsb
        xor     eax, eax
        jmp     .done
.fault:
        mov     rax, rdx
.done:
%endmacro

forms "literal", to_user, from_user, in_user
