; SPDX-License-Identifier: BSD-2-Clause
;
; It is answered, and faults again, and again.

%include "copy.inc"

routine faulty_fault_storm, "the fixup is the instruction that faulted"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
.again:
        user    .again, rep movsb
        mov     rax, rcx
%endmacro

forms "literal", from_user
