; SPDX-License-Identifier: BSD-2-Clause
;
; Where another CPU starts: in real mode, at the beginning of a page below 1 MiB to
; which kernel/smp.c has copied this, with struct ap_start at AP_START in the same page.
; From there to the kernel's page tables and ap_entry(). ebx is the page's address.

%include "width.inc"
%include "kernel/offsets.inc"

%define AT(label) ((label) - ap_trampoline)
%define START(member) AP_START + AP_START_ %+ member

CR0_PE          equ 1 << 0
CR0_ET          equ 1 << 4
CODE64          equ 0x18                ; the third segment of the GDT below

section .rodata align=16

        global  ap_trampoline, ap_trampoline_end
ap_trampoline:
bits 16
        cli
        cld
        mov     ax, cs
        mov     ds, ax
        movzx   ebx, ax
        shl     ebx, 4
        add     [AT(gdt_base)], ebx     ; all three for the first time: each CPU gets
        add     [AT(far32)], ebx        ; a fresh copy
        add     [AT(far64)], ebx
        o32 lgdt [AT(gdt_pointer)]
        mov     eax, CR0_PE | CR0_ET    ; caches on, whatever INIT left (SDM volume 3, 9.1.1)
        mov     cr0, eax
        jmp     dword far [AT(far32)]

bits 32
protected:
        mov     eax, SELECTOR_KERNEL_DATA
        mov     ds, eax
        mov     es, eax
        mov     fs, eax
        mov     gs, eax
        mov     ss, eax
        mov     eax, [ebx + START(CR4)]
        mov     cr4, eax
        mov     eax, [ebx + START(CR3)]
        mov     cr3, eax
        cmp     dword [ebx + START(HAS_EFER)], 0
        je      .paging                 ; with NX in the tables it comes before paging
        mov     ecx, MSR_EFER
        mov     eax, [ebx + START(EFER)]
        xor     edx, edx
        wrmsr
.paging:
        mov     eax, [ebx + START(CR0)]
        mov     cr0, eax                ; this page is mapped at its own address
%if WIDTH == 64
        jmp     dword far [ebx + AT(far64)]
bits 64
%endif
kernel:
        mov     rsp, [rbx + START(STACK)]
        xor     ebp, ebp                ; a back trace ends here
        push    rbp                     ; as if called
        jmp     [rbx + START(ENTRY)]

        align   8
; marked as accessed: with paging the processor could not write that into this page
gdt:    dq      0
        dq      0x00cf9b000000ffff      ; SELECTOR_KERNEL_CODE, 32-bit as yet
        dq      0x00cf93000000ffff      ; SELECTOR_KERNEL_DATA
        dq      0x00af9b000000ffff      ; CODE64
gdt_end:
gdt_pointer:
        dw      gdt_end - gdt - 1
gdt_base:
        dd      AT(gdt)
far32:  dd      AT(protected)
        dw      SELECTOR_KERNEL_CODE
far64:  dd      AT(kernel)
        dw      CODE64
ap_trampoline_end:

; an error where it runs into its parameters
        times -((ap_trampoline_end - ap_trampoline) / AP_START) db 0

section .note.GNU-stack noalloc noexec nowrite progbits
