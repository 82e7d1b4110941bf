; SPDX-License-Identifier: BSD-2-Clause
;
; What Linux does today. With FSRM rep movsb for everything. Else bytes below 8, a
; qword loop below 64, and from there rep movsb with ERMS or rep movsq to an aligned
; destination. No FPU state, no size at which the strategy is bad, and the fixups
; end in a byte loop, so the residue is exact.

%include "copy.inc"

routine linux_present, "rep movsb where FSRM is, else a ladder of bytes, qwords and rep"
needs   ""
uses    ""
widths  64
source  "Linux copy_user_generic and rep_movs_alternative, since 2023"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     dword PARAM(FSRM), 0
        jne     .string
        cmp     rcx, 64
        jae     .large
.qwords:
        cmp     ecx, 8
        jb      .tail
.qword:
        load    .tail, mov rax, [rsi]
        store   .tail, mov [rdi], rax
        advance 8
        cmp     ecx, 8
        jae     .qword
.tail:
        test    rcx, rcx
        jz      .left
.byte:
        load    .left, mov al, [rsi]
        store   .left, mov [rdi], al
        advance 1
        jnz     .byte
        jmp     .left
.large:
        cmp     dword PARAM(ERMS), 0
        jne     .string
        load    .tail, mov rax, [rsi]
        store   .tail, mov [rdi], rax
        advance_to rdi, 8
        mov     rdx, rcx
        and     edx, 7
        shr     rcx, 3
        user    .left_qwords, rep movsq
.left_qwords:
        lea     rcx, [rdx + rcx * 8]
        jmp     .tail
.string:
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
