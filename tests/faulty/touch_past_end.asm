; SPDX-License-Identifier: BSD-2-Clause
;
; The next block's first dword is touched when 64 to 67 bytes are left, and it ends
; past the source.

%include "copy.inc"

routine faulty_touch_past_end, "the touch load of a block that is the last"
needs   ""
uses    ""
widths  32, 64
source  "int_unrolled_exact"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
.block:
        load    .bytes, test [rsi + 64], eax
        %assign at 0
        %rep 64 / WORD_BYTES
        load    .bytes, mov rax, [rsi + at]
        store   .bytes, mov [rdi + at], rax
        %assign at at + WORD_BYTES
        %endrep
        advance 64
        cmp     rcx, 64
        jae     .block
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
