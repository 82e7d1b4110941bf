; SPDX-License-Identifier: BSD-2-Clause
;
; k7_movntq without its touch phase: what it is worth to read a block of lines before any
; is written. The main loop still touches the next line.

%include "copy.inc"
%include "k7.inc"

routine k7_movntq_notouch, "the Athlon copy without its block touch"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "k7_movntq by flag"

%define K7_TOUCH 0

%macro body 0
        k7_copy
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
