; SPDX-License-Identifier: BSD-2-Clause
;
; mmx_movq with the source asked for five lines ahead, and the destination with the
; intent to write (prefetchw saves the second trip to the bus that a store to a
; shared line needs). Past the end of an area a prefetch does nothing.

%include "copy.inc"
%include "vector.inc"

routine mmx_movq_prefetch, "MMX movq with 3DNow! prefetch and prefetchw"
needs   "mmx 3dnow|prefetchw"
uses    "mmx"
widths  32, 64
source  "Linux i386 _mmx_memcpy for the K6-2 and Athlon"

%macro ask_ahead 0
        prefetch [rsi + 320]
        prefetchw [rdi + 320]
%endmacro
%define BEFORE_BLOCK ask_ahead

%macro body 0
        vector_copy movq, movq, movq, mm, 8, 8
        leave_mmx
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
