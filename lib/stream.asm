; SPDX-License-Identifier: BSD-2-Clause
;
; lib/stream.h for both widths.

%include "width.inc"
%include "lib/offsets.inc"

; stream read|write, bytes, register name, move, after
%macro stream 5
        align   64
        global  stream_%1_%2
stream_%1_%2:
        %ifidn %1, read
                %assign %%argument 8
                %define %%pointer rsi
        %else
                %assign %%argument 4
                %define %%pointer rdi
        %endif
        %if WIDTH == 64
                mov     rax, %%pointer
                mov     rcx, rdx
        %else
                mov     eax, [esp + %%argument]
                mov     ecx, [esp + 12]
        %endif
        align   32
%%next:
        %assign %%at 0
        %rep STREAM_UNIT / %2
                %ifidn %1, read
                        %4      %{3}0, [rax + %%at]
                %else
                        %4      [rax + %%at], %{3}0
                %endif
                %assign %%at %%at + %2
        %endrep
        add     rax, STREAM_UNIT
        sub     rcx, STREAM_UNIT
        ja      %%next
        %5
        ret
%endmacro

%macro none 0
%endmacro

section .text

stream read, 16, xmm, movups, none
stream write, 16, xmm, movups, none
stream read, 32, ymm, vmovups, vzeroupper
stream write, 32, ymm, vmovups, vzeroupper
stream read, 64, zmm, vmovups, vzeroupper
stream write, 64, zmm, vmovups, vzeroupper

section .note.GNU-stack noalloc noexec nowrite progbits
