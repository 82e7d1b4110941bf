; SPDX-License-Identifier: BSD-2-Clause
;
; What was stored may be seen after what is stored next. No processor shows it in one
; thread: it is seen in the code.

%include "copy.inc"
%include "int_unrolled.inc"

routine faulty_sfence_missing, "non-temporal stores without sfence"
needs   "sse2"
uses    ""
widths  32, 64
source  "nocache"

%macro body 0
        int_unrolled ALWAYS, NO_TOUCH, movnti, EXACT
        mov     rax, rcx
%endmacro

forms "literal", plain
