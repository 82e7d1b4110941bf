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
        global  probe_moves
probe_moves:
        %if WIDTH == 64
                %assign offset 0
                %rep PROBE_MOVES
                        mov     rax, [rsi + offset]
                        mov     [rdi + offset], rax
                        %assign offset offset + 8
                %endrep
        %else
                mov     ecx, [esp + 4]
                mov     edx, [esp + 8]
                %assign offset 0
                %rep PROBE_MOVES
                        mov     eax, [edx + offset]
                        mov     [ecx + offset], eax
                        %assign offset offset + 4
                %endrep
        %endif
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

; Of 5 bytes: 12 or 13 in 64, which take two lines of such a cache.
%define COMPARES (64 * 1024 / 5)

        align   64
        global  probe_code
probe_code:
        times COMPARES cmp eax, 0x10000000
        ret

; Sites, and how often each is come to: a thousand branches are more than what they learnt of the
; loop before.
%define BRANCHES 64
%define TURNS    16

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
