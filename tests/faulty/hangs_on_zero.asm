; SPDX-License-Identifier: BSD-2-Clause
;
; A loop that waits for a count to pass zero.

%include "copy.inc"

routine faulty_hangs_on_zero, "never returns for n = 0"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
        test    rcx, rcx
.wait:
        jz      .wait
        rep     movsb
        mov     rax, rcx
%endmacro

forms "literal", plain
