; SPDX-License-Identifier: BSD-2-Clause
;
; An unrolled block with two displacements exchanged.

%include "copy.inc"

routine faulty_blocks_swapped, "two words of a block are stored in each other's place"
needs   ""
uses    ""
widths  32, 64
source  "int_unrolled_exact"

%macro body 0
        cmp     rcx, 2 * WORD_BYTES
        jb      .bytes
.block:
        load    .bytes, mov rax, [rsi]
        load    .bytes, mov rdx, [rsi + WORD_BYTES]
        store   .bytes, mov [rdi + WORD_BYTES], rax
        store   .bytes, mov [rdi], rdx
        advance 2 * WORD_BYTES
        cmp     rcx, 2 * WORD_BYTES
        jae     .block
        copy_rest
        mov     rax, rcx
%endmacro

forms "literal", plain
