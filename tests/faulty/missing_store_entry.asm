; SPDX-License-Identifier: BSD-2-Clause
;
; The other way round.

%include "copy.inc"

routine faulty_missing_store_entry, "the store has no exception-table entry"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
        test    rcx, rcx
        jz      .left
.byte:
        load    .left, mov al, [rsi]
        mov     [rdi], al
        advance 1
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user
