; SPDX-License-Identifier: BSD-2-Clause
;
; The choice made at boot: a table, filled by measuring on this machine, says for each
; kind, size class and alignment class which form to go on to. It costs a bit scan, a
; load and an indirect jump. What stands in the table must claim what select does:
; literal, and no FPU state changed. Until there is a table it is rep movsb.

%include "copy.inc"

routine select, "the form that a table chooses, by size and alignment"
needs   ""
uses    ""
widths  32, 64
source  "Linux patches for the Athlon, 2002: choose at boot, as for csum and RAID"

; The first line of the table is for n below 64, where bit 5 is the highest at most.
%macro before_form 0
        %if WIDTH == 32
        mov     ecx, [esp + 4]
        xor     ecx, [esp + 8]
        mov     eax, [esp + 12]
        %else
        mov     ecx, edi
        xor     ecx, esi
        mov     rax, rdx
        %endif
        or      eax, 1 << 5
        bsr     rax, rax
        cmp     eax, 5 + COPY_SIZE_CLASSES - 1
        jbe     .class
        mov     eax, 5 + COPY_SIZE_CLASSES - 1
.class:
        and     ecx, PARAM(ALIGN_MASK)
        neg     ecx                     ; carry: misaligned
        adc     eax, eax
        %assign first (COPY_KIND_%[FORM_KIND] * COPY_SIZE_CLASSES - 5) * 2
        lea     rcx, PARAM(SELECT)
        mov     rax, [rcx + (rax + first) * WORD_BYTES]
        test    rax, rax
        jz      .own
        jmp     rax
.own:
%endmacro

%macro body 0
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
