; SPDX-License-Identifier: BSD-2-Clause
;
; From a vector to trap() and back. The frame, struct trap_frame in frame.h, on a
; stack that the processor aligns to 16 bytes first (SDM volume 3, 6.14.2):
;
;       +168    ss
;       +160    rsp                     at the trap
;       +152    rflags
;       +144    cs
;       +136    rip
;       +128    error code              0 where the vector has none
;       +120    vector
;       +64     rax rcx rdx rbx...      (from here down pushed below)
;       +0      r15                     <- rsp, trap()'s argument

%include "copy.inc"
%include "kernel/offsets.inc"
%include "kernel/x86_64/offsets.inc"

%define STATE(name) [entry_state + ENTRY_STATE_ %+ name]

; cr3 = the one named, where it is another; rax and rdx are changed
%macro switch_tables 1
        mov     rax, STATE(%1)
        mov     rdx, cr3
        cmp     rax, rdx
        je      %%same
        mov     cr3, rax
%%same:
%endmacro

%define TRAP_REGISTERS rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15

%macro push_all 1-*
        %rep %0
                push    %1
                %rotate 1
        %endrep
        %if %0 * 8 != FRAME_VECTOR || FRAME_SIZE % 16 != 0
                %error "struct trap_frame is not what trap.asm builds"
        %endif
%endmacro

%macro pop_all 1-*
        %rep %0
                %rotate -1
                pop     %1
        %endrep
%endmacro

; Vectors that push an error code (SDM volume 3, table 6-1, and AMD's #VC and #SX).
%define HAS_ERROR(vector) ((0x60227d00 >> (vector)) & 1)

section .entry_text progbits alloc exec nowrite align=16
        global  trap_stubs
trap_stubs:                             ; TRAP_STUB_BYTES apart
%assign vector 0
%rep 32
        align   16
        %if !HAS_ERROR(vector)
                push    0
        %endif
        push    vector
        jmp     trap_entry
        %assign vector vector + 1
%endrep

        align   16
        extern  trap, entry_state
trap_entry:
        push_all TRAP_REGISTERS
        cld                             ; C code demands it; who was interrupted may not
        smap_site SMAP_CLAC             ; and may have had user access open
        switch_tables KERNEL_CR3
        mov     rdi, rsp
        call    trap
        test    byte [rsp + FRAME_CS], 3
        jz      .leave                  ; (an NMI in the few instructions of the kernel's that
                                        ; run on the user's tables goes back on the kernel's)
        switch_tables USER_CR3
.leave:
        pop_all TRAP_REGISTERS
        add     rsp, FRAME_IP - FRAME_VECTOR
        iretq
