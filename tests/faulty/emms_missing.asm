; SPDX-License-Identifier: BSD-2-Clause
;
; Without emms the next x87 instruction finds its stack full.

%include "copy.inc"
%include "vector.inc"

routine faulty_emms_missing, "MMX registers are left in use"
needs   "mmx"
uses    "mmx"
widths  32, 64
source  "mmx_movq"

%macro body 0
        vector_copy movq, movq, movq, mm, 8, 8
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
