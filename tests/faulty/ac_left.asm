; SPDX-License-Identifier: BSD-2-Clause
;
; A user access that is opened and not closed: with SMAP, every later stray access
; goes through.

%include "copy.inc"

routine faulty_ac_left, "AC stays set"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%include "tests/faulty/set_ac.inc"

%macro body 0
        user    .left, rep movsb
.left:
        set_ac
        mov     rax, rcx
%endmacro

forms "literal", plain
