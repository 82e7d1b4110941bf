; SPDX-License-Identifier: BSD-2-Clause
;
; The residue is zeroed by rep stosd, and what is no multiple of 4 keeps what was
; there.

%include "copy.inc"

routine faulty_zero_by_words, "zeroes whole words only"
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
        mov     rbx, rcx
        shr     rcx, 2
        xor     eax, eax
        rep     stosd
        mov     rax, rbx
        jmp     .form_return
.done:
%endmacro

forms "literal", from_user_zero
