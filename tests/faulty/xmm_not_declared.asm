; SPDX-License-Identifier: BSD-2-Clause
;
; One vector at the start, where there is room for one.

%include "copy.inc"

routine faulty_xmm_not_declared, "an xmm register is used and not declared"
needs   "sse"
uses    ""
widths  32, 64
source  "sse_movups"

%macro body 0
        cmp     rcx, 16
        jb      .bytes
        load    .bytes, movups xmm7, [rsi]
        store   .bytes, movups [rdi], xmm7
        advance 16
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user, in_user
