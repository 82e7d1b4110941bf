; SPDX-License-Identifier: BSD-2-Clause
;
; rep stosb may allocate lines without reading them, and the copy then finds them in
; the cache: two passes over the destination instead of one with a read. As long as
; it fits there. A source that faults leaves zeros behind, so from user memory it is
; fit for the zeroing form alone.

%include "copy.inc"

routine stos_first, "the destination zeroed by rep stosb, then rep movsb"
needs   ""
uses    ""
widths  64
source  "clear_page before copy, an old idea"

%ifdef ROUTINE_HERE

%macro body 0
        mov     rbx, rdi
        mov     rdx, rcx
        xor     eax, eax
        store   .zeroed, rep stosb
.zeroed:
        mov     rdi, rbx
        mov     rcx, rdx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user_zero

%endif
