; SPDX-License-Identifier: BSD-2-Clause
;
; One instruction reads 64 bytes from anywhere and writes them as one line, around the
; cache and never in parts: made to ring a device's door bell, and a non-temporal copy
; without a vector register. The destination is aligned first, by bytes; the rest at
; the end goes by bytes too, through the cache.

%include "copy.inc"

routine movdir64b_lines, "a line a step by movdir64b"
needs   "movdir64b"
uses    ""
widths  64
source  "SDM volume 2, MOVDIR64B; Linux movdir64b()"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     rcx, 128
        jb      .bytes
        copy_head rdi, 64
.line:
        user    .bytes, movdir64b rdi, [rsi]
        advance 64
        cmp     rcx, 64
        jae     .line
        copy_rest
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
