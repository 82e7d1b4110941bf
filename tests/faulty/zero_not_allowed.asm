; SPDX-License-Identifier: BSD-2-Clause
;
; The raw and inatomic forms must leave the rest alone (Linux, 2006).

%include "copy.inc"

routine faulty_zero_not_allowed, "a form that does not zero zeroes its residue"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        user    .left, rep movsb
.left:
        mov     rbx, rcx
        xor     eax, eax
        rep     stosb
        mov     rax, rbx
%endmacro

forms "literal", from_user
