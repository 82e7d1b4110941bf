; SPDX-License-Identifier: BSD-2-Clause
;
; For a source in write-combining memory, such as a frame buffer, where each ordinary
; load is a trip to the device: movntdqa fetches a whole line into a streaming buffer
; and the next three loads take it from there. Stores between them would throw that
; buffer out, so a chunk is read into the stack first and written from there. On
; ordinary memory it is a copy made twice.

%include "copy.inc"

routine sse4_movntdqa, "movntdqa loads through a bounce buffer"
needs   "sse4_1"
uses    "xmm"
widths  32, 64
source  "Intel white paper on streaming loads, 2008"

%define BUFFER_BYTES 1024

%macro body 0
        cmp     rcx, 64 + 16
        jb      .bytes
        copy_head rsi, 16
        mov     rbx, rsp
        sub     rsp, BUFFER_BYTES
        and     rsp, -64
.chunk:
        mov     edx, BUFFER_BYTES
        cmp     rcx, rdx
        jae     .read
        mov     edx, ecx
        and     edx, -64
        jz      .restore
.read:
        xor     eax, eax
.read_line:
        load_run .restore, movntdqa, xmm, 4, 16, rsi + rax
        save_run movdqa, xmm, 4, 16, rsp + rax
        add     eax, 64
        cmp     eax, edx
        jb      .read_line
        xor     eax, eax
.write_line:
        restore_run movdqa, xmm, 4, 16, rsp + rax
        store_run .restore, movdqu, xmm, 4, 16, rdi + rax
        add     eax, 64
        cmp     eax, edx
        jb      .write_line
        advance rdx
        jmp     .chunk
.restore:
        mov     rsp, rbx
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
