; SPDX-License-Identifier: BSD-2-Clause
;
; From 256 bytes on a byte 8 KiB past the destination is cleared: what looks at the
; neighbourhood only does not see it.

%include "copy.inc"

routine faulty_store_far_away, "a store that is nowhere near"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb"

%macro body 0
        cmp     rcx, 256
        jb      .bytes
        mov     byte [rdi + 8192], 0
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
