; SPDX-License-Identifier: BSD-2-Clause
;
; Right as long as the destination lies below, or the areas do not overlap.

%include "copy.inc"

routine faulty_moves_upwards_only, "claims memmove and always copies upwards"
needs   ""
uses    ""
widths  32, 64
source  "memmove_sse2"

%macro body 0
        rep     movsb
        mov     rax, rcx
%endmacro

forms "literal memmove", plain
