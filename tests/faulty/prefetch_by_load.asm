; SPDX-License-Identifier: BSD-2-Clause
;
; Five lines ahead a prefetch is free to be wrong and a load is not.

%include "copy.inc"

routine faulty_prefetch_by_load, "a load in place of a prefetch"
needs   ""
uses    ""
widths  32, 64
source  "mmx_movq_prefetch"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
        load    .bytes, test [rsi + 320], al
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user
