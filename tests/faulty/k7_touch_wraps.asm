; SPDX-License-Identifier: BSD-2-Clause
;
; As published: for n = 256 to 262 and a misaligned source the head leaves fewer than
; 256 bytes, the count of touch steps is 0, and counting down from there it reads on
; until it faults.

%include "copy.inc"

routine faulty_k7_touch_wraps, "the block touch of no block reads on to the first fault"
needs   ""
uses    ""
widths  32, 64
source  "k7_movntq"

%macro body 0
        cmp     rcx, 256
        jb      .bytes
        copy_head rsi, 8
        mov     rax, rcx
        shr     rax, 8
        mov     rdx, rsi
.touch:
        load    .bytes, test [rdx], eax
        load    .bytes, test [rdx + 192], eax
        add     rdx, 256
        dec     rax
        jnz     .touch
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
