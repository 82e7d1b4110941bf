; SPDX-License-Identifier: BSD-2-Clause
;
; The same choice for copies with a checksum, by a table of their own. Until there is one
; it adds words as they are copied.

%include "copy.inc"
%include "csum.inc"
%define SELECT_TABLE SELECT_CSUM
%include "select.inc"

routine select_csum, "the copy with checksum that a table chooses, by size and alignment"
needs   ""
uses    ""
widths  32, 64
source  "Linux, csum routines chosen at boot; RFC 1071"

%macro body 0
        xor     ebx, ebx
        csum_rest
        mov     rax, rcx
%endmacro

forms "literal csum", plain, to_user, from_user, from_user_zero, in_user
