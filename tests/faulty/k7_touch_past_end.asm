; SPDX-License-Identifier: BSD-2-Clause
;
; As published: each block touches the next line by a load, whether the source goes on
; there or not.

%include "copy.inc"

routine faulty_k7_touch_past_end, "the main loop touches the line after the last one"
needs   "mmx"
uses    "mmx"
widths  32, 64
source  "k7_movntq"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
.block:
        load    .bytes, test [rsi + 64], eax
        load_run  .bytes, movq, mm, 8, 8
        store_run .bytes, movq, mm, 8, 8
        advance 64
        cmp     rcx, 64
        jae     .block
.bytes:
        user    .left, rep movsb
.left:
        leave_mmx
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
