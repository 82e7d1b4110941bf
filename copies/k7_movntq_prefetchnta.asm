; SPDX-License-Identifier: BSD-2-Clause
;
; k7_movntq with prefetchnta in place of the touch loads: it cannot fault and waits
; for nothing, but a processor may drop it.

%include "copy.inc"
%include "k7.inc"

routine k7_movntq_prefetchnta, "the Athlon copy, prefetchnta for touch loads"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "k7_movntq by flag"

%define K7_TOUCH 2

%macro body 0
        k7_copy
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
