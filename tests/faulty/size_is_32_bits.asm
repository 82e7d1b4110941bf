; SPDX-License-Identifier: BSD-2-Clause
;
; A size of 2^32 is a size of 0.

%include "copy.inc"

routine faulty_size_is_32_bits, "the upper half of the size is lost"
needs   ""
uses    ""
widths  64
source  "rep_movsb"

%macro body 0
        mov     ecx, ecx
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

%ifdef ROUTINE_HERE
forms "literal", from_user
%endif
