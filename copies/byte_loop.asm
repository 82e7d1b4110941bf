; SPDX-License-Identifier: BSD-2-Clause
;
; The reference: a byte loaded, a byte stored, and an entry for each. Slow
; everywhere and right everywhere; the other routines are held against it.

%include "copy.inc"

routine byte_loop, "one byte a step, the reference"
needs   ""
uses    ""
widths  32, 64
source  "the contract, written down"

%macro body 0
        test    rcx, rcx
        jz      .left
.byte:
        load    .left, mov al, [rsi]
        store   .left, mov [rdi], al
        advance 1
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
