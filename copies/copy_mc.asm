; SPDX-License-Identifier: BSD-2-Clause
;
; For a source that may hold a memory error: on some processors a machine check inside
; rep movs cannot be recovered from, and a load across a line may poison both. So each
; load is of one aligned qword, and what faults is tried again by bytes, each in its
; own load, up to the bad one.

%include "copy.inc"

routine copy_mc, "aligned source qwords, no strings: for memory with errors"
needs   ""
uses    ""
widths  64
source  "Linux copy_mc_fragile"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     rcx, 8
        jb      .bytes
.align:
        test    esi, 7
        jz      .qwords
        load    .left, mov al, [rsi]
        store   .left, mov [rdi], al
        advance 1
        jmp     .align
.qwords:
        cmp     rcx, 8
        jb      .bytes
.qword:
        load    .bytes, mov rax, [rsi]
        store   .bytes, mov [rdi], rax
        advance 8
        cmp     rcx, 8
        jae     .qword
.bytes:
        test    rcx, rcx
        jz      .left
.byte:
        load    .left, mov al, [rsi]
        store   .left, mov [rdi], al
        advance 1
        jnz     .byte
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
