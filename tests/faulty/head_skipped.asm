; SPDX-License-Identifier: BSD-2-Clause
;
; The step to an aligned destination is a byte too long where it is seven bytes.

%include "copy.inc"

routine faulty_head_skipped, "at one alignment the head is one byte short"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl_aligned"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
        mov     edx, edi
        and     edx, 7
        cmp     edx, 1
        jne     .bytes
        movsb
        advance 1
        dec     rcx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
