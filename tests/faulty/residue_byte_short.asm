; SPDX-License-Identifier: BSD-2-Clause
;
; The count goes down before the store, so the byte that faults is counted as copied.

%include "copy.inc"

routine faulty_residue_byte_short, "a residue one byte too small"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
        test    rcx, rcx
        jz      .left
.byte:
        load    .left, mov al, [rsi]
        dec     rcx
        store   .left, mov [rdi], al
        inc     rsi
        inc     rdi
        test    rcx, rcx
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user, in_user
