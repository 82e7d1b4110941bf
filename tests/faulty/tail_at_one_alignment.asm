; SPDX-License-Identifier: BSD-2-Clause
;
; A tail that is computed from the wrong address: right for every end but one in
; sixteen.

%include "copy.inc"

routine faulty_tail_at_one_alignment, "one byte of the tail is lost where the source ends on a word"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        lea     rax, [rsi + rcx]
        and     eax, 15
        jnz     .bytes
        test    ecx, ecx
        jz      .left
        dec     rcx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
