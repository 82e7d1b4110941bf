; SPDX-License-Identifier: BSD-2-Clause
;
; lib/probe.h for both widths.

%include "width.inc"
%include "lib/offsets.inc"

section .text

        align   64
        global  probe_chain
probe_chain:
        ; by register: some cores add a small constant for nothing when they rename
        times PROBE_LENGTH add eax, ecx
        xor     eax, eax
        ret

        align   64
        global  probe_nops
probe_nops:
        times PROBE_LENGTH nop
        xor     eax, eax
        ret

section .note.GNU-stack noalloc noexec nowrite progbits
