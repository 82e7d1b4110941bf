; SPDX-License-Identifier: BSD-2-Clause
;
; Every exception masked, rounding to nearest: fine for the copy, and the user's
; choice is lost.

%include "copy.inc"

routine faulty_mxcsr_changed, "MXCSR is set and not put back"
needs   "sse"
uses    ""
widths  32, 64
source  "sse_movups"

%macro body 0
        push    0x1f80
        ldmxcsr [rsp]
        add     rsp, WORD_BYTES
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
