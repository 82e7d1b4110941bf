; SPDX-License-Identifier: BSD-2-Clause
;
; User mode by int 0x80, and by SYSENTER and SYSEXIT (SDM volume 2), which keep neither
; the program's stack pointer nor where it goes on. Either way a call has
;
;       eax  number     ebx  a          esi  b          edi  c
;
; and, for SYSENTER, edx = where to go on and ecx = esp. The result is in eax; ebx, esi,
; edi, ecx and edx come back changed.

%include "copy.inc"
%include "kernel/offsets.inc"

%define STATE(name) [entry_state + ENTRY_STATE_ %+ name]

USER_DATA       equ SELECTOR_USER_DATA | 3
USER_CODE       equ SELECTOR_USER_CODE32 | 3
FLAGS_USER      equ 1 << 1              ; the bit that is always 1; interrupts stay off

extern entry_state, user_service_call

; ------------------------------------------------------------ the program's side

section .user_text progbits alloc exec nowrite align=16

%macro load_call 0
        push    ebx
        push    esi
        push    edi
        mov     eax, [esp + 16]
        mov     ebx, [esp + 20]
        mov     esi, [esp + 24]
        mov     edi, [esp + 28]
%endmacro

%macro leave_call 0
        pop     edi
        pop     esi
        pop     ebx
        ret
%endmacro

        global  user_call_int80, user_call_sysenter
user_call_int80:
        load_call
        int     0x80
        leave_call

user_call_sysenter:
        load_call
        mov     edx, .back
        mov     ecx, esp
        sysenter
.back:  leave_call

; eax = program, ebx = call, esi = argument
user_begin:
        xor     ebp, ebp                ; a back trace ends here
        sub     esp, 8                  ; the ABI's 16-byte alignment
        push    esi
        push    ebx
        call    eax
        push    eax
        push    dword USER_EXIT
        call    ebx
        ud2                             ; it does not return

; ------------------------------------------------------------ the kernel's side

section .entry_text progbits alloc exec nowrite align=16

; The program may have left anything in ds and es. %1 is what aligns the stack.
%macro serve 2
        push    ds
        push    es
        push    ebp
        mov     ecx, SELECTOR_KERNEL_DATA
        mov     ds, ecx
        mov     es, ecx
        %if %2
        mov     ecx, STATE(KERNEL_CR3)
        mov     cr3, ecx
        %endif
        cld
        smap_site SMAP_CLAC
        xor     ebp, ebp
        sub     esp, %1
        push    edi
        push    esi
        push    ebx
        push    eax
        call    user_service_call
        add     esp, %1 + 16
        %if %2
        mov     ecx, STATE(USER_CR3)
        mov     cr3, ecx
        %endif
        pop     ebp
        pop     es
        pop     ds
%endmacro

%macro user_entries 2                   ; end of the names, 1: the page tables are switched
        align   64
        global  user_entry_int80%1, user_entry_sysenter%1
user_entry_int80%1:                     ; ss, esp, flags, cs and eip are on the stack
        serve   0, %2
        iretd

        align   64
user_entry_sysenter%1:                  ; flags as the program's, but for IF
        push    ecx
        push    edx
        pushfd
        serve   8, %2
        popfd
        pop     edx
        pop     ecx
        sysexit
%endmacro

        user_entries , 0
        user_entries _isolated, 1

; uintptr_t user_enter(const struct user_start *start, ...)
        align   16
        global  user_enter, user_leave
user_enter:
        mov     edx, [esp + 4]
        mov     STATE(RETURN_SP), esp
        mov     esp, STATE(KERNEL_SP)
        push    dword USER_DATA
        push    dword [edx + USER_START_STACK]
        push    dword FLAGS_USER
        push    dword USER_CODE
        push    dword user_begin
        mov     eax, [edx + USER_START_PROGRAM]
        mov     ebx, [edx + USER_START_CALL]
        mov     esi, [edx + USER_START_ARGUMENT]
        mov     ecx, STATE(USER_CR3)
        cmp     ecx, STATE(KERNEL_CR3)
        je      .go
        mov     cr3, ecx
.go:    mov     ecx, USER_DATA
        mov     ds, ecx
        mov     es, ecx
        iretd

; void user_leave(result), on the kernel's segments
user_leave:
        mov     eax, [esp + 4]
        mov     esp, STATE(RETURN_SP)
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
