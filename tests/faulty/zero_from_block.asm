; SPDX-License-Identifier: BSD-2-Clause
;
; The residue is exact, the zeroing starts at the block: claimed bytes are lost.

%include "copy.inc"

routine faulty_zero_from_block, "zeroes from the block's start on"
needs   ""
uses    ""
widths  32, 64
source  "int_unrolled_exact"

%macro body 0
        mov     rdx, rcx
        user    .fault, rep movsb
        xor     eax, eax
        jmp     .done
.fault:
        smap_site SMAP_CLAC
        mov     rbx, rcx
        mov     rax, rdx
        sub     rax, rcx
        and     eax, 7                  ; bytes of this block that are copied
        sub     rdi, rax
        add     rcx, rax
        xor     eax, eax
        rep     stosb
        mov     rax, rbx
        jmp     .form_return
.done:
%endmacro

forms "literal", from_user_zero
