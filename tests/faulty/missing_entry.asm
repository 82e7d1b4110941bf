; SPDX-License-Identifier: BSD-2-Clause
;
; The first fault finds no fixup.

%include "copy.inc"

routine faulty_missing_entry, "no exception-table entry"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        rep     movsb
        mov     rax, rcx
%endmacro

forms "literal", to_user, from_user
