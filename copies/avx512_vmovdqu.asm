; SPDX-License-Identifier: BSD-2-Clause
;
; A line a move. Bytes that a mask leaves out are neither read nor written and cannot
; fault, so head and tail are one masked move each and there is no loop of bytes.

%include "copy.inc"
%include "avx512.inc"

routine avx512_vmovdqu, "vmovdqu64 by 4 x 64 bytes, masked head and tail"
needs   "avx512f avx512bw"
uses    "zmm opmask"
widths  64
source  "glibc memcpy, avx512 forms; Intel optimisation manual, masking"

%ifdef ROUTINE_HERE

%macro body 0
        avx512_copy vmovdqa64
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
