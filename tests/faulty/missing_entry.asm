; SPDX-License-Identifier: BSD-2-Clause
;
; rep_movsb without its exception-table entries: the first fault finds no fixup.

%include "copy.inc"

routine missing_entry, "rep movsb with no exception-table entry"
needs   ""
uses    ""
widths  32, 64
source  "seeded defect"

%macro body 0
        rep     movsb
        mov     rax, rcx
%endmacro

form to_user, "literal"
        body
form_end

form from_user, "literal"
        body
form_end
