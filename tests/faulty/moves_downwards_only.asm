; SPDX-License-Identifier: BSD-2-Clause
;
; The other way round.

%include "copy.inc"

routine faulty_moves_downwards_only, "claims memmove and always copies downwards"
needs   ""
uses    ""
widths  32, 64
source  "memmove_sse2"

%macro body 0
        lea     rsi, [rsi + rcx - 1]
        lea     rdi, [rdi + rcx - 1]
        std
        rep     movsb
        cld
        mov     rax, rcx
%endmacro

forms "literal memmove", plain
