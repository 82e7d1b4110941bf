; SPDX-License-Identifier: BSD-2-Clause
;
; As a feature bit that lies would lead to: #UD from 128 bytes on.

%include "copy.inc"

routine faulty_undefined_instruction, "an instruction that no processor has"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        cmp     rcx, 128
        jb      .bytes
        ud2
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
