; SPDX-License-Identifier: BSD-2-Clause
;
; Compared with 'above' in place of 'above or equal', one size falls between two ways.

%include "copy.inc"

routine faulty_wrong_at_a_page, "a copy of exactly a page moves a line less"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        cmp     rcx, 4096
        jne     .bytes
        sub     rcx, 64
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
