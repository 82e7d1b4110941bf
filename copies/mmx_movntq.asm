; SPDX-License-Identifier: BSD-2-Clause
;
; movntq goes around the cache: no read of the destination's lines, and none of the
; caller's lines put out. First and last 8 bytes are stored through the cache.

%include "copy.inc"
%include "vector.inc"

routine mmx_movntq, "MMX movq loads, movntq stores, prefetchnta"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "AMD, Using Block Prefetch, 2001: the step before block prefetch"

%define BEFORE_BLOCK prefetchnta [rsi + 320]

%macro body 0
        vector_copy movq, movntq, movq, mm, 8, 8
        sfence
        leave_mmx
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
