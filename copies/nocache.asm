; SPDX-License-Identifier: BSD-2-Clause
;
; The integer block copy with non-temporal stores: the destination goes to memory
; around the cache, so the caller's working set stays, and whoever reads the copy
; next pays for it. Up to 63 bytes at the end go through the cache. As published,
; a fault gives its block up.

%include "copy.inc"
%include "int_unrolled.inc"

routine nocache, "integer blocks by movnti"
needs   "sse2"
uses    ""
widths  32, 64
source  "Linux i386 __copy_user_zeroing_intel_nocache, 2006"

%macro body 0
        int_unrolled ALWAYS, TOUCH, movnti, BLOCK_GRANULAR
        sfence
        mov     rax, rcx
%endmacro

forms "safe", to_user, from_user, from_user_zero, in_user
forms "literal", plain
