; SPDX-License-Identifier: BSD-2-Clause
;
; From the IDT to trap(), and back. All vectors but #DF, NMI and #MC come through an
; interrupt gate; at the call of trap_enter() the stack is
;
;               user_ss                 only from user code
;               user_sp                 only from user code
;               flags
;               cs
;               ip                  <-- pushed by the processor from here up
;               error                   0 where the vector has no error code
;               vector
;               ax
;               cx
;               dx
;               bx
;               sp                      of the interrupted kernel code: the first
;               bp                      byte above flags
;               si
;               di
;               es
;               ds                  <-- struct trap_frame
;               its address             argument of trap_enter()
;
; On return the frame says where to go on. For kernel code the processor's IRET takes
; no stack pointer, so ip, cs and flags are moved to right below frame.sp first (where
; they are already, if nobody changed it).

%include "width.inc"
%include "kernel/offsets.inc"
%include "kernel/i386/offsets.inc"

extern trap_enter, task_enter, entry_state

CS_USER_BITS    equ 3
FLAGS_CLEAR     equ 1 << 1              ; the bit that is always 1

section .entry_text progbits alloc exec nowrite align=16

; cr3 = the one named, where it is another; eax and edx are changed
%macro switch_tables 1
        mov     eax, [entry_state + ENTRY_STATE_%1]
        mov     edx, cr3
        cmp     eax, edx
        je      %%same
        mov     cr3, eax
%%same:
%endmacro

%macro stub 1
        align   8
stub_%1:
    %if %1 = 8 || (%1 >= 10 && %1 <= 14) || %1 = 17 || %1 = 21 || %1 = 29 || %1 = 30
        ; the processor pushed an error code
    %else
        push    dword 0
    %endif
        push    dword %1
        jmp     trap_common
%endmacro

%assign vector 0
%rep 32
        stub    vector
        %assign vector vector + 1
%endrep

trap_common:
        pushad
        push    es
        push    ds
        mov     eax, SELECTOR_KERNEL_DATA
        mov     ds, eax
        mov     es, eax
        switch_tables KERNEL_CR3
        push    dword FLAGS_CLEAR       ; DF, AC and NT as C expects them
        popfd
        lea     eax, [esp + FRAME_USER_SP]
        mov     [esp + FRAME_SP], eax
        push    esp
        call    trap_enter
        add     esp, 4
        test    byte [esp + FRAME_CS], CS_USER_BITS
        jnz     .to_user

        mov     ebx, [esp + FRAME_SP]
        sub     ebx, FRAME_USER_SP - FRAME_IP
        mov     eax, [esp + FRAME_IP]
        mov     ecx, [esp + FRAME_CS]
        mov     edx, [esp + FRAME_FLAGS]
        mov     [ebx], eax
        mov     [ebx + FRAME_CS - FRAME_IP], ecx
        mov     [ebx + FRAME_FLAGS - FRAME_IP], edx
        mov     [esp + FRAME_SP], ebx
        pop     ds
        pop     es
        popad                           ; does not load esp
        mov     esp, [esp - (FRAME_VECTOR - FRAME_SP)]
        iretd

.to_user:
        switch_tables USER_CR3
        pop     ds
        pop     es
        popad
        add     esp, FRAME_IP - FRAME_VECTOR
        iretd

; Behind a task gate everything was saved by the processor, in the interrupted task's
; TSS. IRET goes back to that task, and saves this one's state as it is after it: so
; at the next trap execution continues behind the IRET.
%macro task 3                           ; name, vector, has an error code
        align   8
        global  task_%1
task_%1:
    %if !%3
        push    dword 0
    %endif
        push    dword %2
        call    task_enter              ; (vector, error)
        add     esp, 8
        iretd
        jmp     task_%1
%endmacro

        task    nmi, 2, 0
        task    double_fault, 8, 1
        task    machine_check, 18, 0

; The entries for the IDT.
section .rodata
        align   4
        global  trap_stubs
trap_stubs:
%assign vector 0
%rep 32
        dd      stub_ %+ vector
        %assign vector vector + 1
%endrep

section .note.GNU-stack noalloc noexec nowrite progbits
