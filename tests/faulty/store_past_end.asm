; SPDX-License-Identifier: BSD-2-Clause
;
; The size is rounded up to dwords.

%include "copy.inc"

routine faulty_store_past_end, "the tail is stored as a whole dword"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        add     rcx, 3
        shr     rcx, 2
        user    .left, rep movsd
.left:
        xor     eax, eax
%endmacro

forms "literal", plain
