; SPDX-License-Identifier: BSD-2-Clause
;
; A fixup that adds the word it had set aside, where there was none.

%include "copy.inc"

routine faulty_residue_above_n, "a residue above n"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        user    .fault, rep movsb
        mov     rax, rcx
        jmp     .done
.fault:
        lea     rax, [rcx + WORD_BYTES]
.done:
%endmacro

forms "literal", to_user, from_user, in_user
