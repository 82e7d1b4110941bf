; SPDX-License-Identifier: BSD-2-Clause
;
; Nobody clears the direction again, and the next string instruction of the kernel
; runs down.

%include "copy.inc"

routine faulty_df_left, "DF stays set"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb_back"

%macro body 0
        lea     rsi, [rsi + rcx - 1]
        lea     rdi, [rdi + rcx - 1]
        std
        rep     movsb
        mov     rax, rcx
%endmacro

forms "literal", plain
