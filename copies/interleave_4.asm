; SPDX-License-Identifier: BSD-2-Clause
;
; A line of each of four pages in turn: all sixteen registers are one step's loads.

%include "copy.inc"
%include "interleave.inc"

routine interleave_4, "four pages side by side, movntdq"
needs   "sse2"
uses    "xmm"
widths  64
source  "glibc large_memcpy_4x"

%ifdef ROUTINE_HERE

%macro body 0
        interleave 4
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, from_user_zero
forms "safe", to_user, from_user, in_user

%endif
