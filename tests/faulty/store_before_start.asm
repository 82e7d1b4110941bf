; SPDX-License-Identifier: BSD-2-Clause
;
; A backward copy whose last step goes one byte below the start.

%include "copy.inc"

routine faulty_store_before_start, "the first vector is stored a byte too low"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb_back"

%macro body 0
        lea     rsi, [rsi + rcx - 1]
        lea     rdi, [rdi + rcx - 1]
        inc     rcx
        std
        rep     movsb
        cld
        xor     eax, eax
%endmacro

forms "literal", plain
