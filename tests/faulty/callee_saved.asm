; SPDX-License-Identifier: BSD-2-Clause
;
; From 256 bytes on it needs one register more and takes the frame pointer.

%include "copy.inc"

routine faulty_callee_saved, "a callee-saved register is used for a large copy"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        cmp     rcx, 256
        jb      .bytes
        mov     rbp, rcx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
