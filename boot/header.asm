; SPDX-License-Identifier: BSD-2-Clause
;
; Multiboot 1 and 2 in one image. Both give the address fields, so that a loader
; takes the file as a flat image and never looks at its ELF header: a 64-bit ELF
; linked at -2 GiB is loaded by QEMU's -kernel and by every GRUB. So the file must be
; laid out as memory is, and the headers must lie where loaders search: linker.ld sees
; to it (tests/test_kernel.py proves it).

%include "width.inc"
%include "kernel/offsets.inc"

%define PHYSICAL(address) ((address) - KERNEL_BASE)

extern image_start, image_data_end, image_end, boot_entry

section .multiboot progbits alloc noexec nowrite align=8

MULTIBOOT1_MAGIC        equ 0x1badb002
; modules page-aligned, memory map, address fields
MULTIBOOT1_FLAGS        equ 1 << 0 | 1 << 1 | 1 << 16

        align   4
        global  multiboot1, multiboot2
multiboot1:
        dd      MULTIBOOT1_MAGIC
        dd      MULTIBOOT1_FLAGS
        dd      -(MULTIBOOT1_MAGIC + MULTIBOOT1_FLAGS)
        dd      PHYSICAL(multiboot1)
        dd      PHYSICAL(image_start)
        dd      PHYSICAL(image_data_end)
        dd      PHYSICAL(image_end)
        dd      PHYSICAL(boot_entry)
        ; No video request (flag bit 2): QEMU does not know it, and text on a BIOS
        ; machine needs none. Multiboot 2 below can ask without insisting.

MULTIBOOT2_MAGIC        equ 0xe85250d6
MULTIBOOT2_I386         equ 0
TAG_END                 equ 0
TAG_ADDRESS             equ 2
TAG_ENTRY               equ 3
TAG_CONSOLE             equ 4
TAG_FRAMEBUFFER         equ 5
TAG_OPTIONAL            equ 1
CONSOLE_EGA_TEXT        equ 1 << 1

%macro tag 2                    ; type, flags
        align   8
%%tag:
        dw      %1
        dw      %2
        dd      %%end - %%tag
        %define TAG_END_LABEL %%end
%endmacro

%macro tag_end 0
TAG_END_LABEL:
%endmacro

        align   8
multiboot2:
        dd      MULTIBOOT2_MAGIC
        dd      MULTIBOOT2_I386
        dd      multiboot2_end - multiboot2
        dd      -(MULTIBOOT2_MAGIC + MULTIBOOT2_I386 + (multiboot2_end - multiboot2))

tag TAG_ADDRESS, 0
        dd      PHYSICAL(multiboot2)
        dd      PHYSICAL(image_start)
        dd      PHYSICAL(image_data_end)
        dd      PHYSICAL(image_end)
tag_end

tag TAG_ENTRY, 0
        dd      PHYSICAL(boot_entry)
tag_end

; Any mode will do, and none: a headless machine boots too.
tag TAG_CONSOLE, TAG_OPTIONAL
        dd      CONSOLE_EGA_TEXT
tag_end

tag TAG_FRAMEBUFFER, TAG_OPTIONAL
        dd      0, 0, 0                 ; width, height, depth: no preference
tag_end

tag TAG_END, 0
tag_end
multiboot2_end:

section .note.GNU-stack noalloc noexec nowrite progbits
