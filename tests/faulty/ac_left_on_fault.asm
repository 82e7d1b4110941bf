; SPDX-License-Identifier: BSD-2-Clause
;
; The fixup jumps past the instruction that closes the user access (Linux 2015).

%include "copy.inc"

routine faulty_ac_left_on_fault, "AC stays set after a fault"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%include "tests/faulty/set_ac.inc"

%macro body 0
        user    .fault, rep movsb
        mov     rax, rcx
        jmp     .done
.fault:
        set_ac
        mov     rax, rcx
        form_leave
.done:
%endmacro

forms "literal", to_user, from_user, in_user
