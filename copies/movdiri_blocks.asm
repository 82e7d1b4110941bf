; SPDX-License-Identifier: BSD-2-Clause
;
; nocache_exact with direct stores: like movnti around the cache, but combined with
; nothing else, each goes out as it is.

%include "copy.inc"
%include "int_unrolled.inc"

routine movdiri_blocks, "integer blocks by movdiri"
needs   "movdiri"
uses    ""
widths  64
source  "SDM volume 2, MOVDIRI"

%ifdef ROUTINE_HERE

%macro body 0
        int_unrolled ALWAYS, NO_TOUCH, movdiri, EXACT
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
