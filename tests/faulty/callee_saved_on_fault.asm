; SPDX-License-Identifier: BSD-2-Clause
;
; Only the way of a fault touches it.

%include "copy.inc"

routine faulty_callee_saved_on_fault, "a callee-saved register is lost in the fixup"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        user    .fault, rep movsb
        mov     rax, rcx
        jmp     .done
.fault:
        mov     rax, rcx
        mov     rbp, rcx
.done:
%endmacro

forms "literal", to_user, from_user, in_user
