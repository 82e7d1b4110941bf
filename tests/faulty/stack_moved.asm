; SPDX-License-Identifier: BSD-2-Clause
;
; A calling convention mixed up: right result, stack pointer off.

%include "copy.inc"

routine faulty_stack_moved, "returns as if the callee removed its arguments"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        rep     movsb
        mov     rax, rcx
        %if WIDTH == 32
        pop     ebx
        pop     esi
        pop     edi
        %else
        pop     rbx
        %endif
        ret     2 * WORD_BYTES
%endmacro

forms "literal", plain
