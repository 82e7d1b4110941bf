; SPDX-License-Identifier: BSD-2-Clause
;
; The dwords are covered; the last one to three bytes, which few tests ever fault in,
; are not.

%include "copy.inc"

routine faulty_missing_tail_entry, "only the tail's rep movsb has no entry"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsl"

%macro body 0
        mov     rdx, rcx
        and     edx, 3
        shr     rcx, 2
        user    .units, rep movsd
.units:
        lea     rcx, [rdx + rcx * 4]
        cmp     rcx, 4
        jae     .left
        rep     movsb
.left:
        mov     rax, rcx
%endmacro

forms "safe", to_user, from_user
