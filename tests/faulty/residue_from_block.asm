; SPDX-License-Identifier: BSD-2-Clause
;
; A fault gives its block up after some of it was stored. That is safe, and claimed to
; be more.

%include "copy.inc"
%include "int_unrolled.inc"

routine faulty_residue_from_block, "the residue counted from the block's start, claimed exact"
needs   ""
uses    ""
widths  32, 64
source  "int_unrolled_exact"

%macro body 0
        int_unrolled ALWAYS, TOUCH, mov, BLOCK_GRANULAR
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user, in_user
