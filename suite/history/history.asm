; SPDX-License-Identifier: BSD-2-Clause
;
; The published figures, as they stand in the files beside this one. Each entry of
; history_files is three self-relative words: name, text, end of text.

%include "width.inc"

%macro history 1
        %strcat %%path "suite/history/", %1, ".csv"
section .rodata
%%name: db      %1, 0
%%text: incbin  %%path
%%end:
section .rodata.history_files progbits alloc noexec nowrite align=4
        dd      %%name - $
        dd      %%text - $
        dd      %%end - $
%endmacro

section .rodata.history_files progbits alloc noexec nowrite align=4
        global  history_files
history_files:
        history "2002-k7-file-read"
        history "2002-k7-file-readwrite"
        history "2002-k7-fpu"
        history "2002-k7-socket"
        history "2002-p3-read-alignment"
        history "2002-p4-dst-alignment"
        history "2002-p4-src-alignment"
        history "2006-nocache"
        history "2008-gup"
        dd      0, 0, 0

section .note.GNU-stack noalloc noexec nowrite progbits
