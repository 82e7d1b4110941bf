; SPDX-License-Identifier: BSD-2-Clause
;
; Stores are covered and loads are not: right for a copy to user memory, and used for
; one from it.

%include "copy.inc"

routine faulty_missing_load_entry, "the load has no exception-table entry"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
        test    rcx, rcx
        jz      .left
.byte:
        mov     al, [rsi]
        store   .left, mov [rdi], al
        advance 1
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", from_user
