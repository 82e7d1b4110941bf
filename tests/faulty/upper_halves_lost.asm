; SPDX-License-Identifier: BSD-2-Clause
;
; It cleans up what it never used: the upper halves of the user's registers are gone.

%include "copy.inc"
%include "vector.inc"

routine faulty_upper_halves_lost, "vzeroupper in a routine that declares xmm"
needs   "avx"
uses    "xmm"
widths  32, 64
source  "sse2_movdqu4"

%macro body 0
        vector_copy movdqu, movdqa, movdqu, xmm, 16, 4
        vzeroupper
        mov     rax, rcx
%endmacro

forms "literal", plain
