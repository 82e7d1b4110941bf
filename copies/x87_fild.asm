; SPDX-License-Identifier: BSD-2-Clause
;
; The only 8-byte load and store that a Pentium has: an integer of 64 bits goes through
; an 80-bit register and comes back the same, whatever rounding and precision are set
; to. The stack is last in, first out, so a block is loaded from its end and stored
; from its start. A fault leaves some registers full: its fixup pops just those.

%include "copy.inc"

routine x87_fild, "64-byte blocks through the x87 stack, fild and fistp"
needs   "fpu"
uses    "x87"
widths  32, 64
source  "memcpy of the Pentium years; the 2002 thread on FPU copies"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
.block:
        %assign at 56
        %assign depth 0
        %rep 8
        load    .pop_%[depth], fild qword [rsi + at]
        %assign at at - 8
        %assign depth depth + 1
        %endrep
        %assign at 0
        %rep 8
        store   .pop_%[depth], fistp qword [rdi + at]
        %assign at at + 8
        %assign depth depth - 1
        %endrep
        advance 64
        cmp     rcx, 64
        jae     .block
        jmp     .bytes
        %assign depth 8
        %rep 8
.pop_%[depth]:
        fstp    st0
        %assign depth depth - 1
        %endrep
.pop_0:
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
