; SPDX-License-Identifier: BSD-2-Clause
;
; The same as rep_movsl with qwords: what x86-64 kernels and libraries did before
; there was ERMS.

%include "copy.inc"

routine rep_movsq, "rep movsq, then rep movsb for the rest"
needs   ""
uses    ""
widths  64
source  "Linux x86-64 copy_user_generic_string"

%ifdef ROUTINE_HERE

%macro body 0
        copy_rest_by 8
        mov     rax, rcx
%endmacro

forms "literal", plain, to_user, from_user, from_user_zero, in_user

%endif
