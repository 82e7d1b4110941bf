; SPDX-License-Identifier: BSD-2-Clause
;
; Dwords widened to qwords, which never overflow, and added two at a time.

%include "copy.inc"
%include "csum.inc"

routine csum_sse2, "copy and Internet checksum by SSE2"
needs   "sse2"
uses    "xmm"
widths  32, 64
source  "Linux csum_partial_copy and csum_and_copy_from_user; RFC 1071"

%macro body 0
        xor     ebx, ebx
        pxor    xmm6, xmm6
        pxor    xmm7, xmm7
.block:
        cmp     rcx, 64
        jb      .reduce
        load_run  .reduce, movdqu, xmm, 4, 16
        store_run .reduce, movdqu, xmm, 4, 16
        %assign i 0
        %rep 4
        movdqa  xmm4, xmm%[i]
        punpckldq xmm4, xmm7
        punpckhdq xmm%[i], xmm7
        paddq   xmm6, xmm4
        paddq   xmm6, xmm%[i]
        %assign i i + 1
        %endrep
        advance 64
        jmp     .block
.reduce:
        %rep 4
        movd    eax, xmm6
        csum_add rax
        psrldq  xmm6, 4
        %endrep
        csum_rest
        mov     rax, rcx
%endmacro

forms "literal csum", plain, to_user, from_user, from_user_zero, in_user
