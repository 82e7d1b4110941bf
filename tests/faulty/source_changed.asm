; SPDX-License-Identifier: BSD-2-Clause
;
; Every byte is right, and the source holds what was in the destination.

%include "copy.inc"

routine faulty_source_changed, "exchanges in place of copying"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
        test    rcx, rcx
        jz      .left
.byte:
        mov     al, [rsi]
        xchg    [rdi], al
        mov     [rsi], al
        advance 1
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain
