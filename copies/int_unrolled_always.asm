; SPDX-License-Identifier: BSD-2-Clause
;
; The integer block copy for all copies of 64 bytes and more, aligned or not: what
; the published tables call the block copy always.

%include "copy.inc"
%include "int_unrolled.inc"

routine int_unrolled_always, "integer blocks of 64 bytes for every copy"
needs   ""
uses    ""
widths  32, 64
source  "Linux i386, 2002: the column 'always'"

%macro body 0
        int_unrolled ALWAYS, TOUCH, mov, EXACT
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
