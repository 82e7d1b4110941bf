; SPDX-License-Identifier: BSD-2-Clause
;
; The glyphs of ' ' to '~', FONT_HEIGHT bytes each (kernel/pixels.c); the build takes
; them from a console font (tools/font).

section .rodata

        global  font
font:   incbin  "font.bin"

section .note.GNU-stack noalloc noexec nowrite progbits
