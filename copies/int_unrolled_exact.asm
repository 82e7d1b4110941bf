; SPDX-License-Identifier: BSD-2-Clause
;
; int_unrolled with exact residues: the same blocks, and a fault has the bytes of its
; block copied one by one up to the one that faults. Nothing is paid before that.

%include "copy.inc"
%include "int_unrolled.inc"

routine int_unrolled_exact, "int_unrolled with byte-exact residue"
needs   ""
uses    ""
widths  32, 64
source  "int_unrolled, mended"

%macro body 0
        int_unrolled IF_MISALIGNED, TOUCH, mov, EXACT
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
