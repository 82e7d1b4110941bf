; SPDX-License-Identifier: BSD-2-Clause
;
; A trap after every instruction, in a program whose IRET would itself fault.

%include "copy.inc"

routine faulty_flags_that_trap, "TF and NT are set"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%define FLAG_TF (1 << 8)
%define FLAG_NT (1 << 14)

%macro set_flags 0
        %if WIDTH == 64
        pushfq
        or      dword [rsp], FLAG_TF | FLAG_NT
        popfq
        %else
        pushfd
        or      dword [esp], FLAG_TF | FLAG_NT
        popfd
        %endif
%endmacro

%macro body 0
        set_flags
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, from_user
