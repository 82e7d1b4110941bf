; SPDX-License-Identifier: BSD-2-Clause
;
; The Athlon copy in full. It wins on large copies by reading a block of lines before
; it writes any; below 256 bytes it is rep movsb. It changes the MMX registers, which
; are the x87 ones: in a kernel somebody has to save them.

%include "copy.inc"
%include "k7.inc"

routine k7_movntq, "block touch, movntq, postfetch: the Athlon copy"
needs   "mmx sse|mmxext"
uses    "mmx"
widths  32, 64
source  "Linux patch for the Athlon, November 2002"

%macro body 0
        k7_copy
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
