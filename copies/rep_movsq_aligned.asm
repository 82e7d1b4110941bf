; SPDX-License-Identifier: BSD-2-Clause
;
; rep_movsl_aligned with qwords: one unaligned qword, then rep movsq from the next
; multiple of 8 in the destination on.

%include "copy.inc"

routine rep_movsq_aligned, "rep movsq with an aligned destination"
needs   ""
uses    ""
widths  64
source  "Linux x86-64 rep_movs_alternative, 2023"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     rcx, 8
        jb      .bytes
        load    .bytes, mov rax, [rsi]
        store   .bytes, mov [rdi], rax
        advance_to rdi, 8
        copy_rest_by 8
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
