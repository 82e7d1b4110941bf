; SPDX-License-Identifier: BSD-2-Clause
;
; A store to a line that is not in the cache reads it first, only to overwrite it.
; clzero writes a whole line without that read. It is a streaming store, though: what is
; stored on top of it may have to fetch the line all the same, and a fence is due at the
; end. The line's new bytes are loaded before it is zeroed, so a source that faults leaves
; it as it was.

%include "copy.inc"

routine clzero_first, "each line of the destination made by clzero, then filled"
needs   "clzero sse2"
uses    "xmm"
widths  64
source  "AMD APM volume 3, CLZERO"

%ifdef ROUTINE_HERE

%macro body 0
        cmp     rcx, 128
        jb      .bytes
        load    .bytes, movdqu xmm0, [rsi]
        store   .bytes, movdqu [rdi], xmm0
        advance_to rdi, 16
.align:
        test    edi, 63
        jz      .line
        load    .bytes, movdqu xmm0, [rsi]
        store   .bytes, movdqa [rdi], xmm0
        advance 16
        jmp     .align
.line:
        mov     rax, rdi
        load_run  .bytes, movdqu, xmm, 4, 16
        store   .bytes, clzero
        store_run .bytes, movdqa, xmm, 4, 16
        advance 64
        cmp     rcx, 64
        jae     .line
        copy_rest
        sfence
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
