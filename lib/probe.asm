; SPDX-License-Identifier: BSD-2-Clause
;
; lib/probe.h for both widths.

%include "width.inc"
%include "lib/offsets.inc"

section .text

        align   64
        global  probe_chain
probe_chain:
        ; By register: some cores add a small constant for nothing when they rename.
        ; eax goes on from call to call, or the end of one chain and the start of
        ; the next would run side by side, as far as the scheduler reaches.
        times PROBE_LENGTH add eax, eax
        ret

        align   64
        global  probe_nops
probe_nops:
        times PROBE_LENGTH nop
        ret

        align   64
        global  probe_chase
probe_chase:
        %if WIDTH == 64
                mov     rax, rsi
                mov     rcx, rdx
        %else
                mov     rax, [rsp + 8]
                mov     rcx, [rsp + 12]
        %endif
.next:
        mov     rax, [rax]
        dec     rcx
        jnz     .next
        ret

; Sites, and how often each is come to: enough for what predictors remember of a few routines.
%define BRANCHES 64
%define TURNS    128

; Knuth, volume 2, 3.3.4: random in the high bits.
%macro branch_by_chance 0
        imul    eax, eax, 1664525
        add     eax, 1013904223
        js      %%over
        inc     edx
%%over:
%endmacro

        align   64
        global  probe_branches
probe_branches:
        %if WIDTH == 64
                mov     eax, edx
        %else
                mov     eax, [rsp + 12]
        %endif
        mov     ecx, TURNS
        xor     edx, edx
.next:
        %rep BRANCHES
        branch_by_chance
        %endrep
        dec     ecx
        jnz     .next
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
