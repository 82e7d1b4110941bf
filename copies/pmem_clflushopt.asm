; SPDX-License-Identifier: BSD-2-Clause
;
; clflushopt writes a line back and puts it out: of this copy nothing is left in the
; cache, unaligned ends included. Zeros after a fault are no part of it, so the zeroing
; form does not promise that.

%include "copy.inc"
%include "pmem.inc"

routine pmem_clflushopt, "movnti, head and tail put out by clflushopt"
needs   "sse2 clflushopt"
uses    ""
widths  64
source  "Linux memcpy_flushcache, before clwb"

%ifdef ROUTINE_HERE

%macro body 0
        pmem_copy clflushopt
        mov     rax, rcx
%endmacro

forms "literal nt", plain, to_user, from_user, in_user
forms "literal", from_user_zero

%endif
