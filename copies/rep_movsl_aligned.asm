; SPDX-License-Identifier: BSD-2-Clause
;
; rep movsd likes an aligned destination more than an aligned source: a store that
; crosses a line costs more than a load that does. So one dword is copied where it
; lies, and rep movsd starts at the next multiple of 4, on top of it.

%include "copy.inc"

routine rep_movsl_aligned, "rep movsd with an aligned destination"
needs   ""
uses    ""
widths  32, 64
source  "SDM and AMD optimisation manuals: align the destination of rep movs"

%macro body 0
        cmp     rcx, 4
        jb      .bytes
        load    .bytes, mov eax, [rsi]
        store   .bytes, mov [rdi], eax
        advance_to rdi, 4
        copy_rest_by 4
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
