; SPDX-License-Identifier: BSD-2-Clause
;
; k7_movntq with movq stores: the destination is allocated in the cache as it is
; written, so the postfetch finds it there.

%include "copy.inc"
%include "k7.inc"

routine k7_movntq_movq, "the Athlon copy with cached stores"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "k7_movntq by flag"

%define K7_STORE movq

%macro body 0
        k7_copy
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
