; SPDX-License-Identifier: BSD-2-Clause
;
; csum_sse2 with four qword sums side by side.

%include "copy.inc"
%include "csum.inc"

routine csum_avx2, "copy and Internet checksum by AVX2"
needs   "avx2"
uses    "ymm"
widths  32, 64
source  "Linux csum_partial_copy and csum_and_copy_from_user; RFC 1071"

%macro body 0
        xor     ebx, ebx
        vpxor   xmm6, xmm6, xmm6
        vpxor   xmm7, xmm7, xmm7
.block:
        cmp     rcx, 128
        jb      .reduce
        load_run  .reduce, vmovdqu, ymm, 4, 32
        store_run .reduce, vmovdqu, ymm, 4, 32
        %assign i 0
        %rep 4
        vpunpckldq ymm4, ymm%[i], ymm7
        vpunpckhdq ymm5, ymm%[i], ymm7
        vpaddq  ymm6, ymm6, ymm4
        vpaddq  ymm6, ymm6, ymm5
        %assign i i + 1
        %endrep
        advance 128
        jmp     .block
.reduce:
        vextracti128 xmm5, ymm6, 1
        vpaddq  xmm6, xmm6, xmm5
        %rep 4
        vmovd   eax, xmm6
        csum_add rax
        vpsrldq xmm6, xmm6, 4
        %endrep
        vzeroupper
        csum_rest
        mov     rax, rcx
%endmacro

forms "literal csum", plain, to_user, from_user, from_user_zero, in_user
