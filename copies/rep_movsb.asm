; SPDX-License-Identifier: BSD-2-Clause
;
; The processor's own byte copy. Microcode moves whole lines where CPUID says
; ERMS (or FSRM for short ones); elsewhere it moves a byte a step. After a fault
; the registers describe exactly the bytes left, so the residue is rcx.

%include "copy.inc"

routine rep_movsb, "rep movsb, the processor's own byte copy"
needs   ""
uses    ""
widths  32, 64
source  "SDM volume 2, REP; Linux copy_user_enhanced_fast_string"

%macro body 0
        user    .left, rep movsb
.left:
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user
