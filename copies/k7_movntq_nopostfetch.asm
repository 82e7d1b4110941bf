; SPDX-License-Identifier: BSD-2-Clause
;
; k7_movntq that leaves the destination where movntq put it, in memory: the copy looks
; faster, its reader pays.

%include "copy.inc"
%include "k7.inc"

routine k7_movntq_nopostfetch, "the Athlon copy without its postfetch"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "k7_movntq by flag"

%define K7_POSTFETCH 0

%macro body 0
        k7_copy
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
