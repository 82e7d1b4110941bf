; SPDX-License-Identifier: BSD-2-Clause
;
; Vectors of one block are given up together: those before the fault are stored
; already, and a wide store across a page may be done in part.

%include "copy.inc"

routine faulty_wide_store_in_part, "a wide store that faults is taken for one not done"
needs   "sse"
uses    "xmm"
widths  32, 64
source  "sse_movups"

%macro body 0
        cmp     rcx, 64
        jb      .rest
.block:
        load_run  .left, movups, xmm, 4, 16
        store_run .left, movups, xmm, 4, 16
        advance 64
        cmp     rcx, 64
        jae     .block
.rest:
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", to_user, in_user
