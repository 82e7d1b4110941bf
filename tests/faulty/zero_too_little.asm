; SPDX-License-Identifier: BSD-2-Clause
;
; Zeroes by itself, and one byte too few.

%include "copy.inc"

routine faulty_zero_too_little, "leaves the last byte of the residue"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        user    .fault, rep movsb
        xor     eax, eax
        jmp     .done
.fault:
        smap_site SMAP_CLAC
        lea     rdx, [rcx - 1]
        mov     rbx, rcx
        mov     rcx, rdx
        xor     eax, eax
        rep     stosb
        mov     rax, rbx
        jmp     .form_return
.done:
%endmacro

forms "literal", from_user_zero
