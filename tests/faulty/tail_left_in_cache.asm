; SPDX-License-Identifier: BSD-2-Clause
;
; What is left after the last movnti goes by rep movsb, through the cache, and stays there:
; with persistent memory, lost when the power goes.

%include "copy.inc"
%include "int_unrolled.inc"

routine faulty_tail_left_in_cache, "claims nt, and its tail stays in the cache"
needs   "sse2"
uses    ""
widths  64
source  "pmem_clflushopt"

%ifdef ROUTINE_HERE

%macro body 0
        int_unrolled ALWAYS, NO_TOUCH, movnti, EXACT
        sfence
        mov     rax, rcx
%endmacro

forms "literal nt", to_user

%endif
