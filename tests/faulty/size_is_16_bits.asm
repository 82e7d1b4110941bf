; SPDX-License-Identifier: BSD-2-Clause
;
; A count in a 16-bit register.

%include "copy.inc"

routine faulty_size_is_16_bits, "sizes from 64 KiB on are cut"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        movzx   ecx, cx
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain
