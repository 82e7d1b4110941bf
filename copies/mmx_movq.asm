; SPDX-License-Identifier: BSD-2-Clause
;
; Eight bytes a move on a processor of 32 bits. The MMX registers are the x87 ones:
; their state is lost, and emms has to empty them before the next x87 instruction.

%include "copy.inc"
%include "vector.inc"

routine mmx_movq, "64-byte blocks by MMX movq"
needs   "mmx"
uses    "mmx"
widths  32, 64
source  "Linux i386 mmx memcpy, without its prefetch"

%macro body 0
        vector_copy movq, movq, movq, mm, 8, 8
        leave_mmx
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
