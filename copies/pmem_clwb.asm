; SPDX-License-Identifier: BSD-2-Clause
;
; clwb writes a line back and may keep it: enough for persistence, so Linux takes it.

%include "copy.inc"
%include "pmem.inc"

routine pmem_clwb, "movnti, head and tail written back by clwb"
needs   "sse2 clwb"
uses    ""
widths  64
source  "Linux memcpy_flushcache"

%ifdef ROUTINE_HERE

%macro body 0
        pmem_copy clwb
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
