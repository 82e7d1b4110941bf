; SPDX-License-Identifier: BSD-2-Clause
;
; The Athlon copy as it was published: the loads of the to-user loop have no entries.
; Only where the source is user memory too can they fault.

%include "copy.inc"

routine faulty_k7_as_published, "no entries for the loads of the main loop"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "k7_movntq"

%macro body 0
        cmp     rcx, 256
        jb      .bytes
        copy_head rsi, 8
.block:
        %assign at 0
        %rep 8
        movq    mm %+ at, [rsi + at * 8]
        %assign at at + 1
        %endrep
        store_run .fault, movntq, mm, 8, 8
        advance 64
        cmp     rcx, 64
        jae     .block
.fault:
        sfence
        leave_mmx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", in_user
