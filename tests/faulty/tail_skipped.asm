; SPDX-License-Identifier: BSD-2-Clause
;
; Whole dwords and nothing else.

%include "copy.inc"

routine faulty_tail_skipped, "the last one to three bytes are not copied"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        shr     rcx, 2
        user    .left, rep movsd
.left:
        xor     eax, eax
%endmacro

forms "literal", plain
