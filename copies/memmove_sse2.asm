; SPDX-License-Identifier: BSD-2-Clause
;
; memmove as a library does it with SSE2; memmove.inc explains it.

%include "copy.inc"
%include "memmove.inc"

routine memmove_sse2, "memmove by 16 bytes, direction by overlap"
needs   "sse2"
uses    "xmm"
widths  32, 64
source  "glibc memmove, unaligned_erms forms"

%macro body 0
        cmp     rcx, 16
        jb      .short
        memmove_vectors movdqu, movdqa, movdqu, xmm, 16
.short:
        memmove_short
.left:
        mov     rax, rcx
%endmacro

forms "literal memmove", plain
