; SPDX-License-Identifier: BSD-2-Clause
;
; Two bytes a step, and one fixup that takes every fault for one in the second
; (metag's copies had this).

%include "copy.inc"

routine faulty_rewinds_wrong_load, "the fixup rewinds for the second load of a pair"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
.pair:
        cmp     rcx, 2
        jb      .bytes
        load    .second, mov al, [rsi]
        store   .second, mov [rdi], al
        load    .second, mov al, [rsi + 1]
        store   .second, mov [rdi + 1], al
        advance 2
        jmp     .pair
.second:
        dec     rcx
        jmp     .left
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user, in_user
