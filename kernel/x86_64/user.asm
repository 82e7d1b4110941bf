; SPDX-License-Identifier: BSD-2-Clause
;
; User mode by SYSCALL and SYSRET (SDM volume 2): rcx is where the program goes on, r11
; its flags, and rsp is left alone. The program calls
;
;       user_call_syscall(number rdi, a rsi, b rdx, c rcx) -> rax
;
; whose registers are those of user_service_call() already, rcx excepted.

%include "copy.inc"
%include "kernel/offsets.inc"

%define STATE(name) [entry_state + ENTRY_STATE_ %+ name]

FLAGS_USER      equ 1 << 1              ; the bit that is always 1; interrupts stay off

extern entry_state, user_service_call

; ------------------------------------------------------------ the program's side

section .user_text progbits alloc exec nowrite align=16

        global  user_call_syscall
user_call_syscall:
        mov     r10, rcx
        syscall
        ret

; rax = program, rdi = call, rsi = argument
user_begin:
        mov     rbx, rdi
        xor     ebp, ebp                ; a back trace ends here
        call    rax
        mov     rdi, USER_EXIT
        mov     rsi, rax
        call    rbx
        ud2                             ; it does not return

; ------------------------------------------------------------ the kernel's side

section .entry_text progbits alloc exec nowrite align=16

; The stack is that of kernel/user.c, aligned to 16 bytes.
%macro user_entry 2                     ; name, 1: the page tables are switched
        align   64
        global  %1
%1:
        mov     STATE(USER_SP), rsp
        %if %2
        mov     rsp, STATE(KERNEL_CR3)
        mov     cr3, rsp
        %endif
        mov     rsp, STATE(KERNEL_SP)
        push    qword STATE(USER_SP)
        push    r11
        push    rcx
        push    rbp
        xor     ebp, ebp
        mov     rcx, r10
        call    user_service_call
        pop     rbp
        pop     rcx
        pop     r11
        %if %2
        mov     rdx, STATE(USER_CR3)
        mov     cr3, rdx
        %endif
        pop     rsp
        o64 sysret
%endmacro

        user_entry user_entry_syscall, 0
        user_entry user_entry_syscall_isolated, 1

; uintptr_t user_enter(const struct user_start *start, ...)
        align   16
        global  user_enter, user_leave
user_enter:
        mov     STATE(RETURN_SP), rsp
        mov     rax, [rdi + USER_START_PROGRAM]
        mov     rsi, [rdi + USER_START_ARGUMENT]
        mov     rdx, [rdi + USER_START_STACK]
        mov     rdi, [rdi + USER_START_CALL]
        mov     ecx, user_begin
        mov     r11d, FLAGS_USER
        mov     r8, STATE(USER_CR3)
        cmp     r8, STATE(KERNEL_CR3)
        je      .go
        mov     cr3, r8
.go:    mov     rsp, rdx
        o64 sysret

; void user_leave(result)
user_leave:
        mov     rax, rdi
        mov     rsp, STATE(RETURN_SP)
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
