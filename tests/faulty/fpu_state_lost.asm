; SPDX-License-Identifier: BSD-2-Clause
;
; A kernel copy by MMX that does not say so, so nobody saves the user's state around
; it (as the Athlon copy did below its threshold).

%include "copy.inc"
%include "vector.inc"

routine faulty_fpu_state_lost, "MMX registers of the user are lost"
needs   "mmx"
uses    ""
widths  32, 64
source  "mmx_movq"

%macro body 0
        vector_copy movq, movq, movq, mm, 8, 8
        leave_mmx
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user
