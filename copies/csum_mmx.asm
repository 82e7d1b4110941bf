; SPDX-License-Identifier: BSD-2-Clause
;
; Words widened to dwords and added two at a time. A dword overflows after 2^15 qwords,
; so every 128 KiB the sums go to a general register.

%include "copy.inc"
%include "csum.inc"

routine csum_mmx, "copy and Internet checksum by MMX"
needs   "mmx"
uses    "mmx"
widths  32, 64
source  "Linux csum_partial_copy and csum_and_copy_from_user; RFC 1071"

%macro body 0
        xor     ebx, ebx
        pxor    mm7, mm7
.chunk:
        pxor    mm6, mm6
        mov     edx, 4096               ; blocks
.block:
        cmp     rcx, 32
        jb      .reduce
        load_run  .reduce, movq, mm, 4, 8
        store_run .reduce, movq, mm, 4, 8
        %assign i 0
        %rep 4
        movq    mm4, mm%[i]
        punpcklwd mm4, mm7
        punpckhwd mm%[i], mm7
        paddd   mm6, mm4
        paddd   mm6, mm%[i]
        %assign i i + 1
        %endrep
        advance 32
        dec     edx
        jnz     .block
.reduce:
        movd    eax, mm6
        csum_add rax
        psrlq   mm6, 32
        movd    eax, mm6
        csum_add rax
        test    edx, edx
        jz      .chunk                  ; neither the end nor a fault
        leave_mmx
        csum_rest
        mov     rax, rcx
%endmacro

forms "literal csum", plain, to_user, from_user, from_user_zero, in_user
