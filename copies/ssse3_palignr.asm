; SPDX-License-Identifier: BSD-2-Clause
;
; No load and no store of the loop crosses a line: the source is read by aligned
; vectors, and each vector of the destination is cut out of two neighbours by palignr.
; Its shift is part of the instruction, so there are sixteen loops. Made for the Core 2, where a
; movdqu that crossed a line cost twenty cycles. Two vectors go first, unaligned, so
; that no aligned load reads before the source; none reads past its end.

%include "copy.inc"

routine ssse3_palignr, "aligned loads shifted into place by palignr"
needs   "ssse3"
uses    "xmm"
widths  32, 64
source  "glibc memcpy, ssse3 forms"

; Where rsi is %1 past a multiple of 16. xmm0 is the vector around rsi; a step needs
; the two after it, which end 48 - %1 bytes from rsi.
%macro palignr_loop 1
        load    .bytes, movdqa xmm0, [rsi - %1]
%%block:
        cmp     rcx, 48
        jb      .bytes
        load    .bytes, movdqa xmm1, [rsi - %1 + 16]
        load    .bytes, movdqa xmm2, [rsi - %1 + 32]
        movdqa  xmm3, xmm2
        palignr xmm3, xmm1, %1
        palignr xmm1, xmm0, %1
        store   .bytes, movdqa [rdi], xmm1
        store   .bytes, movdqa [rdi + 16], xmm3
        movdqa  xmm0, xmm2
        advance 32
        jmp     %%block
%endmacro

%macro body 0
        cmp     rcx, 96
        jb      .bytes
        load_run  .bytes, movdqu, xmm, 2, 16
        store_run .bytes, movdqu, xmm, 2, 16
        advance 16                      ; the second lies under the next aligned one
        advance_to rdi, 16
        mov     eax, esi
        and     eax, 15
        lea     rbx, [.loops]
        mov     eax, [rbx + rax * 4]
        add     rbx, rax
        jmp     rbx
        align   4
.loops:
        %assign shift 0
        %rep 16
        dd      .shift_%[shift] - .loops
        %assign shift shift + 1
        %endrep
        %assign shift 0
        %rep 16
.shift_%[shift]:
        palignr_loop shift
        %assign shift shift + 1
        %endrep
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
