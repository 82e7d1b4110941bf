; SPDX-License-Identifier: BSD-2-Clause
;
; The end of a signal's handler without rt_sigreturn: half of what a fault of a routine
; costs is the system's work, and a fifth of that is this call.

%include "width.inc"

; struct sigcontext (uc_mcontext.gregs) and the software's bytes of the FXSAVE area, both the
; system's interface: trap.c asserts the order.
%define GREG(i)         (8 * (i))
%define GREG_RDI        GREG(8)
%define GREG_RSI        GREG(9)
%define GREG_RBP        GREG(10)
%define GREG_RBX        GREG(11)
%define GREG_RDX        GREG(12)
%define GREG_RAX        GREG(13)
%define GREG_RCX        GREG(14)
%define GREG_RSP        GREG(15)
%define GREG_RIP        GREG(16)
%define GREG_EFL        GREG(17)
%define SW_MAGIC        464
%define SW_XFEATURES    472
%define FP_XSTATE_MAGIC 0x46505853

section .text

; _Noreturn void trap_resume(const greg_t *gregs, const void *fpregs)
;
; IRETQ to the same privilege loads RIP, RFLAGS and RSP at once, and writes nothing below the
; interrupted stack pointer, where a routine may keep what it likes (SDM volume 2, IRET).
        align   64
        global  trap_resume
trap_resume:
        cmp     dword [rsi + SW_MAGIC], FP_XSTATE_MAGIC
        jne     .fx
        mov     eax, [rsi + SW_XFEATURES]
        mov     edx, [rsi + SW_XFEATURES + 4]
        xrstor64 [rsi]
        jmp     .general
.fx:
        fxrstor64 [rsi]
.general:
        mov     eax, ss
        push    rax
        push    qword [rdi + GREG_RSP]
        push    qword [rdi + GREG_EFL]
        mov     eax, cs
        push    rax
        push    qword [rdi + GREG_RIP]
        mov     r8, [rdi + GREG(0)]
        mov     r9, [rdi + GREG(1)]
        mov     r10, [rdi + GREG(2)]
        mov     r11, [rdi + GREG(3)]
        mov     r12, [rdi + GREG(4)]
        mov     r13, [rdi + GREG(5)]
        mov     r14, [rdi + GREG(6)]
        mov     r15, [rdi + GREG(7)]
        mov     rsi, [rdi + GREG_RSI]
        mov     rbp, [rdi + GREG_RBP]
        mov     rbx, [rdi + GREG_RBX]
        mov     rdx, [rdi + GREG_RDX]
        mov     rax, [rdi + GREG_RAX]
        mov     rcx, [rdi + GREG_RCX]
        mov     rdi, [rdi + GREG_RDI]
        iretq
