; SPDX-License-Identifier: BSD-2-Clause
;
; avx512_vmovdqu around the cache: a store is a whole line and needs no combining. The
; masked head and tail go through the cache.

%include "copy.inc"
%include "avx512.inc"

routine avx512_vmovntdq, "vmovntdq by 4 x 64 bytes, masked head and tail"
needs   "avx512f avx512bw"
uses    "zmm opmask"
widths  64
source  "glibc memcpy above its non-temporal threshold"

%ifdef ROUTINE_HERE

%macro body 0
        avx512_copy vmovntdq
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
