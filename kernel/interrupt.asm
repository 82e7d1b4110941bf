; SPDX-License-Identifier: BSD-2-Clause
;
; Interrupts, of which there are few: messages from other CPUs, and what nobody asked
; for. They are taken in kernel code only, and on its stack; the frame is the
; processor's, then the registers that C may change.

%include "copy.inc"

%if WIDTH == 64
        %define CHANGED_BY_C rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11 ; 14 words with the frame
%else
        %define CHANGED_BY_C eax, ecx, edx, ebp
%endif

%macro push_all 1-*
        %rep %0
                push    %1
                %rotate 1
        %endrep
%endmacro

%macro pop_all 1-*
        %rep %0
                %rotate -1
                pop     %1
        %endrep
%endmacro

%macro interrupt 2                      ; the entry, the C function
        extern  %2
        align   16
        global  %1
%1:
        push_all CHANGED_BY_C
        cld                             ; who was interrupted may have set it
        smap_site SMAP_CLAC             ; and may have had user access open
%if WIDTH == 32
        mov     ebp, esp                ; the processor aligns no stack here
        and     esp, -16
%endif
        call    %2
%if WIDTH == 32
        mov     esp, ebp
%endif
        pop_all CHANGED_BY_C
%if WIDTH == 64
        iretq
%else
        iretd
%endif
%endmacro

section .text

        interrupt interrupt_wake, on_wake
        interrupt interrupt_shootdown, on_shootdown
        interrupt interrupt_stray, on_stray

section .note.GNU-stack noalloc noexec nowrite progbits
