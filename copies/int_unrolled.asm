; SPDX-License-Identifier: BSD-2-Clause
;
; The copy for the Pentium III and 4, whose rep movsd falls to a dword a step when
; the two sides are aligned differently: integer blocks there, rep movsd else. As
; published a fault gives up the block (or the dword) it lies in: sound, but up to
; 63 readable bytes are reported as not copied, and some of them stored.

%include "copy.inc"
%include "int_unrolled.inc"

routine int_unrolled, "integer blocks of 64 bytes where the sides are misaligned"
needs   ""
uses    ""
widths  32, 64
source  "Linux i386 __copy_user_intel, 2002"

%macro body 0
        int_unrolled IF_MISALIGNED, TOUCH, mov, BLOCK_GRANULAR
        mov     rax, rcx
%endmacro

forms "safe", to_user, from_user, from_user_zero, in_user
forms "literal", plain
