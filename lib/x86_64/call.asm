; SPDX-License-Identifier: BSD-2-Clause
;
; lib/call.h for x86_64.

%include "width.inc"
%include "lib/offsets.inc"
%include "lib/fpustate.inc"

section .bss align=8
        global  protected_current
protected_current:
        resq    1

section .text

; void protected_call(struct protected_call *call)
;
;       call->sp + 0    protected_current as it was
;                + 8    flags
;                + 16   r15 r14 r13 r12 rbp rbx
;                + 64   return address
        align   64
        global  protected_call, protected_unwind
protected_call:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        pushfq
        push    qword [protected_current]
        mov     [protected_current], rdi
        mov     [rdi + CALL_SP], rsp
        mov     dword [rdi + CALL_RETURNED], 0
        fpu_state rstor, rdi, CALL_FPU_BEFORE

        mov     rax, [rdi + CALL_ENTRY]
        mov     rsi, [rdi + CALL_FROM]
        mov     rdx, [rdi + CALL_N]
        mov     rdi, [rdi + CALL_TO]
        mov     rbx, CALL_PATTERN_0
        mov     rbp, CALL_PATTERN_1
        mov     r12, CALL_PATTERN_2
        mov     r13, CALL_PATTERN_3
        mov     r14, CALL_PATTERN_4
        mov     r15, CALL_PATTERN_5
        sub     rsp, 8                  ; the ABI's 16-byte alignment
        call    rax

        ; No register and not even rsp can be trusted here, and mov alone leaves
        ; the flags for pushfq.
        mov     rcx, [protected_current]
        mov     [rcx + CALL_SP_AFTER], rsp
        mov     rsp, [rcx + CALL_SP]
        pushfq
        pop     qword [rcx + CALL_FLAGS]
        mov     [rcx + CALL_RESULT], rax
        mov     [rcx + CALL_SECOND], rdx
        mov     [rcx + CALL_SAVED_REGISTERS], rbx
        mov     [rcx + CALL_SAVED_REGISTERS + 8], rbp
        mov     [rcx + CALL_SAVED_REGISTERS + 16], r12
        mov     [rcx + CALL_SAVED_REGISTERS + 24], r13
        mov     [rcx + CALL_SAVED_REGISTERS + 32], r14
        mov     [rcx + CALL_SAVED_REGISTERS + 40], r15
        add     qword [rcx + CALL_SP_AFTER], 8
        mov     dword [rcx + CALL_RETURNED], 1
        fpu_state save, rcx, CALL_FPU_AFTER

protected_unwind:
        pop     qword [protected_current]
        popfq
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret

; Stores before it are done, and so is every instruction, before what follows
; starts; the time stamp is then in rax.
%macro read_clock 0
        mfence
        lfence
        rdtsc
        lfence
        shl     rdx, 32
        or      rax, rdx
%endmacro

; uint64_t timed_calls(entry, to, from, n, count, fence)
;
; x86_64 has SSE2, so `fence` has nothing to choose. The empty bracket is a path of
; its own: a mispredicted branch inside it would be a large part of it.
;
; Each routine is called from a site of its own, as far as there are sites: a call that
; has had several targets is predicted another way than one that has had one, some
; cycles slower, and when it changes over is chance.
%define SITES      256
%define SITE_BYTES 128

        align   64
        global  timed_calls
timed_calls:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        sub     rsp, 8                  ; the ABI's 16-byte alignment
        mov     rbx, rdi
        mov     rbp, rsi
        mov     r12, rdx
        mov     r13, rcx
        mov     r14, r8
        test    r14, r14
        jz      .empty
        shr     rdi, 6                  ; routines start on 64-byte boundaries
        and     edi, SITES - 1
        imul    edi, edi, SITE_BYTES
        lea     rax, [.sites]
        add     rax, rdi
        jmp     rax
.done:
        add     rsp, 8
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret

        align   64
.empty:
        read_clock
        mov     r15, rax
        read_clock
        sub     rax, r15
        jmp     .done

%macro site 0
        read_clock
        mov     r15, rax
        align   64
%%next:
        mov     rdi, rbp                ; rax is left alone for probe_chain
        mov     rsi, r12
        mov     rdx, r13
        call    rbx
        dec     r14
        jnz     %%next
        read_clock
        sub     rax, r15
        jmp     timed_calls.done
%endmacro

        align   64
.sites:
        %assign i 0
        %rep SITES
.site%[i]:
                site
                times   SITE_BYTES - ($ - .site%[i]) int3
                %assign i i + 1
        %endrep

section .note.GNU-stack noalloc noexec nowrite progbits
