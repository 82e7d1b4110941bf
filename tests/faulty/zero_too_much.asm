; SPDX-License-Identifier: BSD-2-Clause
;
; Zeroing one byte more than the residue.

%include "copy.inc"

routine faulty_zero_too_much, "zeroes a byte past the end"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        user    .fault, rep movsb
        jmp     .left
.fault:
        mov     byte [rdi + rcx], 0
.left:
        mov     rax, rcx
%endmacro

forms "literal", from_user_zero
