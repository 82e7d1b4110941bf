; SPDX-License-Identifier: BSD-2-Clause
;
; nocache with exact residues: a fault has the bytes of its block copied one by
; one, through the cache, up to the one that faults.

%include "copy.inc"
%include "int_unrolled.inc"

routine nocache_exact, "integer blocks by movnti, with byte-exact residue"
needs   "sse2"
uses    ""
widths  32, 64
source  "nocache, mended"

%macro body 0
        int_unrolled ALWAYS, TOUCH, movnti, EXACT
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
