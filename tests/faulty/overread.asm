; SPDX-License-Identifier: BSD-2-Clause
;
; The tail is loaded as a whole dword.

%include "copy.inc"

routine faulty_overread, "a load past the end of the source"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        mov     rdx, rcx
        and     edx, 3
        shr     rcx, 2
        user    .left, rep movsd
        mov     rcx, rdx
        test    ecx, ecx
        jz      .left
        load    .left, mov eax, [rsi]
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
