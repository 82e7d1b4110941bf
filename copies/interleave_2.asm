; SPDX-License-Identifier: BSD-2-Clause
;
; A line of each of two pages in turn. What is left at the end, less than two pages,
; goes by rep movsb.

%include "copy.inc"
%include "interleave.inc"

routine interleave_2, "two pages side by side, movntdq"
needs   "sse2"
uses    "xmm"
widths  64
source  "glibc large_memcpy_2x"

%ifdef ROUTINE_HERE

%macro body 0
        interleave 2
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, from_user_zero
forms "safe", to_user, from_user, in_user

%endif
