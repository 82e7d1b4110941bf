; SPDX-License-Identifier: BSD-2-Clause
;
; From the last byte down: what is left at a fault is the start, and is returned as if
; it were the end.

%include "copy.inc"

routine faulty_backward_residue, "a backward copy claims what lies below the fault"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb_back"

%macro body 0
        lea     rsi, [rsi + rcx - 1]
        lea     rdi, [rdi + rcx - 1]
        std
        user    .fault, rep movsb
.fault:
        cld
        mov     rax, rcx
%endmacro

forms "safe", to_user, from_user
