; SPDX-License-Identifier: BSD-2-Clause
;
; The loop tests at its end, and nobody tests before it.

%include "copy.inc"

routine faulty_zero_is_everything, "n = 0 is a copy of everything"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
.byte:
        load    .left, mov al, [rsi]
        store   .left, mov [rdi], al
        advance 1
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
