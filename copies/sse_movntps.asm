; SPDX-License-Identifier: BSD-2-Clause
;
; sse_movups around the cache. Four stores fill a 64-byte line of the write-combining
; buffer, so each goes to memory in one burst.

%include "copy.inc"
%include "vector.inc"

routine sse_movntps, "movups loads, movntps stores"
needs   "sse"
uses    "xmm"
widths  32, 64
source  "Intel optimisation manual, streaming stores"

%macro body 0
        vector_copy movups, movntps, movups, xmm, 16, 4
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
