; SPDX-License-Identifier: BSD-2-Clause
;
; lib/call.h for i386.

%include "width.inc"
%include "lib/offsets.inc"
%include "lib/fpustate.inc"

section .bss align=4
        global  protected_current
protected_current:
        resd    1

section .text

; void protected_call(struct protected_call *call)
;
;       call->sp + 0    protected_current as it was
;                + 4    flags
;                + 8    edi esi ebp ebx
;                + 24   return address
;                + 28   call
        align   64
        global  protected_call, protected_unwind
protected_call:
        push    ebx
        push    ebp
        push    esi
        push    edi
        pushfd
        push    dword [protected_current]
        mov     eax, [esp + 28]
        mov     [protected_current], eax
        mov     [eax + CALL_SP], esp
        mov     dword [eax + CALL_RETURNED], 0
        mov     ecx, eax
        fpu_state rstor, ecx, CALL_FPU_BEFORE

        mov     eax, [protected_current]
        sub     esp, 8                  ; the ABI's 16-byte alignment
        push    dword [eax + CALL_N]
        push    dword [eax + CALL_FROM]
        push    dword [eax + CALL_TO]
        mov     eax, [eax + CALL_ENTRY]
        mov     ebx, CALL_PATTERN_0
        mov     ebp, CALL_PATTERN_1
        mov     esi, CALL_PATTERN_2
        mov     edi, CALL_PATTERN_3
        call    eax

        ; No register and not even esp can be trusted here, and mov alone leaves
        ; the flags for pushfd.
        mov     ecx, [protected_current]
        mov     [ecx + CALL_SP_AFTER], esp
        mov     esp, [ecx + CALL_SP]
        pushfd
        pop     dword [ecx + CALL_FLAGS]
        mov     [ecx + CALL_RESULT], eax
        mov     [ecx + CALL_SECOND], edx
        mov     [ecx + CALL_SAVED_REGISTERS], ebx
        mov     [ecx + CALL_SAVED_REGISTERS + 4], ebp
        mov     [ecx + CALL_SAVED_REGISTERS + 8], esi
        mov     [ecx + CALL_SAVED_REGISTERS + 12], edi
        add     dword [ecx + CALL_SP_AFTER], 20
        mov     dword [ecx + CALL_RETURNED], 1
        fpu_state save, ecx, CALL_FPU_AFTER

protected_unwind:
        pop     dword [protected_current]
        popfd
        pop     edi
        pop     esi
        pop     ebp
        pop     ebx
        ret

; How a CPU orders things: enum bracket_fence. Without SSE2, cpuid serialises and a
; locked operation waits for the stores.
%macro fence_lfence 0
        lfence
%endmacro

%macro fence_cpuid 0
        xor     eax, eax
        cpuid
%endmacro

%macro drain_lfence 0
        mfence
%endmacro

%macro drain_cpuid 0
        lock or dword [esp], 0
%endmacro

; Stores before it are done, and so is every instruction, before what follows
; starts. The time stamp is in edi:esi.
%macro read_clock 1
        drain_%1
        fence_%1
        rdtsc
        mov     esi, eax
        mov     edi, edx
        fence_%1
%endmacro

; uint64_t timed_calls(entry, to, from, n, count, fence)
;
; The empty bracket is a path of its own: a mispredicted branch inside it would be
; a large part of it. Each routine is called from a site of its own, as far as there
; are sites: see x86_64's. CPUs without SSE2 predict the last target, and need none.
;
;       ebp - 24        the opening time stamp
;       esp + 0         to, from, n for the routine, which may change them
%define SITES      256
%define SITE_BYTES 128

%macro site 1
        read_clock %1
        mov     [ebp - 24], esi
        mov     [ebp - 20], edi
        mov     ebx, [ebp + 8]
        mov     esi, [ebp + 12]
        mov     edi, [ebp + 16]
        align   64
%%next:
        mov     [esp], esi
        mov     [esp + 4], edi
        mov     ecx, [ebp + 20]         ; eax is left alone for probe_chain
        mov     [esp + 8], ecx
        call    ebx
        dec     dword [ebp + 24]
        jnz     %%next
        read_clock %1
        jmp     timed_calls.done
%endmacro

%macro empty_bracket 1
        read_clock %1
        mov     [ebp - 24], esi
        mov     [ebp - 20], edi
        read_clock %1
        jmp     timed_calls.done
%endmacro

        align   64
        global  timed_calls
timed_calls:
        push    ebp
        mov     ebp, esp
        push    ebx
        push    esi
        push    edi
        sub     esp, 28                 ; 16-byte alignment at the call
        cmp     dword [ebp + 28], BRACKET_WITH_LFENCE
        je      .with_lfence
        cmp     dword [ebp + 24], 0
        je      .empty_with_cpuid
        site    cpuid
.with_lfence:
        cmp     dword [ebp + 24], 0
        je      .empty_with_lfence
        mov     eax, [ebp + 8]
        shr     eax, 6                  ; routines start on 64-byte boundaries
        and     eax, SITES - 1
        imul    eax, eax, SITE_BYTES
        add     eax, .sites
        jmp     eax
.done:
        mov     eax, esi
        mov     edx, edi
        sub     eax, [ebp - 24]
        sbb     edx, [ebp - 20]
        add     esp, 28
        pop     edi
        pop     esi
        pop     ebx
        pop     ebp
        ret

        align   64
.empty_with_cpuid:
        empty_bracket cpuid
        align   64
.empty_with_lfence:
        empty_bracket lfence

        align   64
.sites:
        %assign i 0
        %rep SITES
.site%[i]:
                site    lfence
                times   SITE_BYTES - ($ - .site%[i]) int3
                %assign i i + 1
        %endrep

section .note.GNU-stack noalloc noexec nowrite progbits
