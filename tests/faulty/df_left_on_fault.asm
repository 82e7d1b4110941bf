; SPDX-License-Identifier: BSD-2-Clause
;
; cld stands on the way without a fault only (handlers ran with DF set, Linux 2008).

%include "copy.inc"

routine faulty_df_left_on_fault, "DF stays set after a fault"
needs   ""
uses    ""
widths  32, 64
source  "rep_movsb_back"

%macro body 0
        mov     rdx, rcx
        lea     rsi, [rsi + rcx - 1]
        lea     rdi, [rdi + rcx - 1]
        std
        user    .fault, rep movsb
        cld
        mov     rax, rcx
        jmp     .done
.fault:
        mov     rax, rdx                ; safe: nothing is claimed
.done:
%endmacro

forms "safe", to_user, from_user
