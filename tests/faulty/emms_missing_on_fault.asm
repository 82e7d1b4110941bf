; SPDX-License-Identifier: BSD-2-Clause
;
; The fixup goes home another way, where there is no emms.

%include "copy.inc"

routine faulty_emms_missing_on_fault, "MMX registers are left in use after a fault"
needs   "mmx"
uses    "mmx"
widths  32, 64
source  "mmx_movq"

%macro body 0
        cmp     rcx, 64
        jb      .bytes
.block:
        load_run  .bytes, movq, mm, 8, 8
        store_run .bytes, movq, mm, 8, 8
        advance 64
        cmp     rcx, 64
        jae     .block
        leave_mmx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user
