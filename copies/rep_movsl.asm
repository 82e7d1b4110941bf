; SPDX-License-Identifier: BSD-2-Clause
;
; The stock copy of the i386 kernels for twenty years: dwords by rep movsd, the
; last one to three bytes by rep movsb. Fast where both sides are aligned alike;
; microcode that sees a misaligned side falls back to a dword a step.

%include "copy.inc"

routine rep_movsl, "rep movsd, then rep movsb for the rest"
needs   ""
uses    ""
widths  32, 64
source  "Linux i386 __copy_user"

%macro body 0
        copy_rest_by 4
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
