; SPDX-License-Identifier: BSD-2-Clause
;
; The load is done, the store faults, and the fixup does not pop.

%include "copy.inc"

routine faulty_x87_not_empty_on_fault, "x87 registers stay full after a fault"
needs   "fpu"
uses    "x87"
widths  32, 64
source  "x87_fild"

%macro body 0
        cmp     rcx, 8
        jb      .bytes
.block:
        load    .bytes, fild qword [rsi]
        store   .bytes, fistp qword [rdi]
        advance 8
        cmp     rcx, 8
        jae     .block
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", to_user
