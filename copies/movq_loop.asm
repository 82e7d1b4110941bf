; SPDX-License-Identifier: BSD-2-Clause
;
; movl_loop with qwords.

%include "copy.inc"

routine movq_loop, "one qword a step"
needs   ""
uses    ""
widths  64
source  "the compiler's loop"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     rcx, 8
        jb      .bytes
.qword:
        load    .bytes, mov rax, [rsi]
        store   .bytes, mov [rdi], rax
        advance 8
        cmp     rcx, 8
        jae     .qword
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
