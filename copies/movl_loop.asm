; SPDX-License-Identifier: BSD-2-Clause
;
; The plain loop that a compiler makes of a copy: a dword loaded, a dword stored. What
; unrolling and strings have to beat.

%include "copy.inc"

routine movl_loop, "one dword a step"
needs   ""
uses    ""
widths  32, 64
source  "the compiler's loop"

%macro body 0
        cmp     rcx, 4
        jb      .bytes
.dword:
        load    .bytes, mov eax, [rsi]
        store   .bytes, mov [rdi], eax
        advance 4
        cmp     rcx, 4
        jae     .dword
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
