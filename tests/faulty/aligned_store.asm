; SPDX-License-Identifier: BSD-2-Clause
;
; #GP, which no fixup answers in kernel memory.

%include "copy.inc"

routine faulty_aligned_store, "movaps to a destination that need not be aligned"
needs   "sse"
uses    "xmm"
widths  32, 64
source  "sse_movups"

%macro body 0
        cmp     rcx, 16
        jb      .bytes
        load    .bytes, movups xmm0, [rsi]
        movaps  [rdi], xmm0
        advance 16
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
