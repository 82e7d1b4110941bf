; SPDX-License-Identifier: BSD-2-Clause
;
; The size is taken for an int: what is negative is nothing to copy, and a success.

%include "copy.inc"

routine faulty_size_is_signed, "a size from 2^31 on counts as negative"
needs   ""
uses    ""
widths  32, 64
source  "byte_loop"

%macro body 0
        test    ecx, ecx
        jle     .none
        user    .left, rep movsb
.left:
        mov     rax, rcx
        jmp     .done
.none:
        xor     eax, eax
.done:
%endmacro

forms "literal", from_user, in_user
