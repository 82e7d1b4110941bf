; SPDX-License-Identifier: BSD-2-Clause
;
; memmove by whole lines; below one line a masked load and a masked store.

%include "copy.inc"
%include "memmove.inc"
%include "avx512.inc"

routine memmove_avx512, "memmove by 64 bytes, direction by overlap"
needs   "avx512f avx512bw"
uses    "zmm opmask"
widths  64
source  "glibc memmove, evex512 forms"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     rcx, 64
        jb      .masked
        memmove_vectors vmovdqu64, vmovdqa64, vmovdqu64, zmm2, 64
.masked:
        mask_low
        load    .bytes, vmovdqu8 zmm20{k1}{z}, [rsi]
        store   .bytes, vmovdqu8 [rdi]{k1}, zmm20
        xor     ecx, ecx
        jmp     .left
.left:
        mov     rax, rcx
%endmacro

forms "literal memmove", plain

%endif
