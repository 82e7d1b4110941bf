; SPDX-License-Identifier: BSD-2-Clause
;
; From the loader to kernel_main(). A multiboot loader enters in 32-bit protected
; mode, paging and interrupts off, eax = magic, ebx = the physical address of its
; data, and promises nothing else (Multiboot 1 specification, 3.2): so stack, GDT
; and page tables of our own come first.
;
; Each stage writes one letter to COM1; a whole boot writes "metal":
;
;       m       the image was entered and has a stack
;       e       the GDT is ours, the CPU can run this kernel
;       t       page tables are built
;       a       paging is on
;       l       kernel code runs at its own address, kernel_main() is next

%include "width.inc"
%include "kernel/offsets.inc"

%define PHYSICAL(address) ((address) - KERNEL_BASE)

extern kernel_main, kernel_stack

%define STACK_TOP (kernel_stack + PAGE_SIZE + KERNEL_STACK_SIZE) ; above its guard page

PRESENT         equ 1 << 0
WRITE           equ 1 << 1
LARGE           equ 1 << 7
TABLE           equ PRESENT | WRITE
LARGE_PAGE      equ PRESENT | WRITE | LARGE

COM1            equ 0x3f8
VGA_TEXT        equ 0xb8000
VGA_WHITE_ON_RED equ 0x4f

; ------------------------------------------------------------ entry

section .boot progbits alloc exec nowrite align=16
bits 32

        global  boot_entry
boot_entry:
        mov     esp, PHYSICAL(STACK_TOP)
        push    dword 0                 ; DF, IF, NT, AC...
        popfd
        push    ebx                     ; kernel_main's arguments
        push    eax
        mov     al, 'm'
        call    serial_start
        call    letter

        lgdt    [PHYSICAL(gdt_pointer)]
        mov     eax, SELECTOR_KERNEL_DATA
        mov     ds, eax
        mov     es, eax
        mov     fs, eax
        mov     gs, eax
        mov     ss, eax
        call    check_cpu
        mov     al, 'e'
        call    letter

        call    build_tables
        mov     al, 't'
        call    letter

        call    start_paging
        mov     al, 'a'
        call    letter
        jmp     dword SELECTOR_KERNEL_CODE:PHYSICAL(high)

%if WIDTH == 64
bits 64
%endif
high:   mov     rax, .above
        jmp     rax
.above: mov     edi, [rsp]
        mov     esi, [rsp + 4]
        mov     rsp, STACK_TOP
        mov     al, 'l'
        call    letter
        mov     al, 13
        call    letter
        mov     al, 10
        call    letter
        xor     ebp, ebp                ; a back trace ends here
%if WIDTH == 32
        push    ebp                     ; the ABI's 16-byte alignment
        push    ebp
        push    esi
        push    edi
%endif
        call    kernel_main
        ud2                             ; it does not return
bits 32

; ------------------------------------------------------------ page tables
;
; They last until memory_start(). Physical memory, as far as a large page does it,
; is seen at its own address (for this code), at DIRECT_BASE and at KERNEL_BASE.

; fill table, entry bytes, page bytes, first entry, count: large pages from physical 0
%macro fill 5
        mov     edi, PHYSICAL(%1) + %2 * (%4)
        mov     eax, LARGE_PAGE
        mov     ecx, %5
%%next:
        mov     [edi], eax
        add     edi, %2
        add     eax, %3
        loop    %%next
%endmacro

%if WIDTH == 64

%define LEVEL4(address) (((address) >> 39) & 511)
%define LEVEL3(address) (((address) >> 30) & 511)

build_tables:
        fill    directories, 8, 1 << 21, 0, 4 * 512
        %assign gigabyte 0
        %rep 4
                mov     dword [PHYSICAL(low_pointers) + 8 * gigabyte], \
                        PHYSICAL(directories) + PAGE_SIZE * gigabyte + TABLE
                %assign gigabyte gigabyte + 1
        %endrep
        mov     dword [PHYSICAL(high_pointers) + 8 * LEVEL3(KERNEL_BASE)], \
                PHYSICAL(directories) + TABLE
        mov     dword [PHYSICAL(root)], PHYSICAL(low_pointers) + TABLE
        mov     dword [PHYSICAL(root) + 8 * LEVEL4(DIRECT_BASE)], PHYSICAL(low_pointers) + TABLE
        mov     dword [PHYSICAL(root) + 8 * LEVEL4(KERNEL_BASE)], PHYSICAL(high_pointers) + TABLE
        ret

; Long mode: SDM volume 3, 10.8.5. CR4 and EFER are set, not added to: firmware may have
; left five-level paging (CR4.LA57) on.
start_paging:
        mov     eax, CR4_PAE
        mov     cr4, eax
        mov     eax, PHYSICAL(root)
        mov     cr3, eax
        mov     ecx, MSR_EFER
        mov     eax, EFER_LME
        xor     edx, edx
        wrmsr
        mov     eax, cr0
        or      eax, CR0_PG
        mov     cr0, eax
        ret                             ; in compatibility mode

%else

; PAE where the CPU has NX too (it is no use without), 4 MiB pages otherwise: the
; choice stands for the whole run, CR4.PAE tells it.
build_tables:
        call    has_pae_and_nx
        jz      .two_levels
        fill    directories, 8, 1 << 21, 0, 4 * 512
        fill    directories, 8, 1 << 21, (DIRECT_BASE & 0xffffffff) >> 21, DIRECT_BYTES >> 21
        %assign gigabyte 0
        %rep 4
                mov     dword [PHYSICAL(root) + 8 * gigabyte], \
                        PHYSICAL(directories) + PAGE_SIZE * gigabyte + PRESENT
                %assign gigabyte gigabyte + 1
        %endrep
        ret
.two_levels:
        fill    root, 4, 1 << 22, 0, 1024
        fill    root, 4, 1 << 22, (DIRECT_BASE & 0xffffffff) >> 22, DIRECT_BYTES >> 22
        ret

; A 64-bit firmware may have left EFER.LME on, which with PAE would be long mode.
start_paging:
        call    has_pae_and_nx
        mov     ebx, CR4_PSE
        jz      .two_levels
        mov     ebx, CR4_PAE
        mov     ecx, MSR_EFER
        xor     eax, eax
        xor     edx, edx
        wrmsr
.two_levels:
        mov     cr4, ebx
        mov     eax, PHYSICAL(root)
        mov     cr3, eax
        mov     eax, cr0
        or      eax, CR0_PG
        mov     cr0, eax
        ret

has_pae_and_nx:                         ; ZF = 0: both
        mov     eax, 0x80000000
        cpuid
        cmp     eax, 0x80000001
        jb      .no
        mov     eax, 1
        cpuid
        test    edx, CPUID_1_EDX_PAE
        jz      .no
        mov     eax, 0x80000001
        cpuid
        test    edx, CPUID_80000001_EDX_NX
        ret
.no:    xor     eax, eax
        ret

%endif

; ------------------------------------------------------------ what the CPU must have

CPUID_1_EDX_PSE                 equ 1 << 3
CPUID_1_EDX_TSC                 equ 1 << 4
CPUID_1_EDX_PAE                 equ 1 << 6
CPUID_1_EDX_CMOV                equ 1 << 15
CPUID_80000001_EDX_NX           equ 1 << 20
CPUID_80000001_EDX_LONG_MODE    equ 1 << 29
FLAG_ID                         equ 1 << 21

check_cpu:
        pushfd                          ; without CPUID, FLAG_ID cannot be changed
        pop     eax
        mov     ecx, eax
        xor     eax, FLAG_ID
        push    eax
        popfd
        pushfd
        pop     eax
        xor     eax, ecx
        mov     esi, PHYSICAL(no_cpuid)
        test    eax, FLAG_ID
        jz      refuse
%if WIDTH == 64
        mov     esi, PHYSICAL(no_long_mode)
        mov     eax, 0x80000000
        cpuid
        cmp     eax, 0x80000001
        jb      refuse
        mov     eax, 0x80000001
        cpuid
        test    edx, CPUID_80000001_EDX_LONG_MODE
        jz      refuse
%else
        mov     eax, 1
        cpuid
        mov     esi, PHYSICAL(no_pse)
        test    edx, CPUID_1_EDX_PSE
        jz      refuse
        mov     esi, PHYSICAL(no_tsc)
        test    edx, CPUID_1_EDX_TSC
        jz      refuse
        mov     esi, PHYSICAL(no_cmov)
        test    edx, CPUID_1_EDX_CMOV
        jz      refuse
%endif
        ret

; The words at esi on COM1 and in red at the top of a text screen; then for ever.
refuse:
        mov     al, 10                  ; on a line of its own
        call    letter
        mov     edi, VGA_TEXT
.next:  lodsb
        test    al, al
        jz      .stop
        mov     ah, VGA_WHITE_ON_RED
        stosw
        call    letter
        jmp     .next
.stop:  mov     al, 10
        call    letter
.halt:  cli
        hlt
        jmp     .halt

; ------------------------------------------------------------ letters

UART_DATA       equ COM1                ; divisor, low byte, while LINE_DIVISOR is set
UART_ENABLE     equ COM1 + 1            ; divisor, high byte
UART_LINE       equ COM1 + 3
UART_STATUS     equ COM1 + 5
LINE_8N1        equ 0x03
LINE_DIVISOR    equ 0x80
STATUS_EMPTY    equ 0x20                ; the transmitter takes a byte
STATUS_NO_UART  equ 0xff
PATIENCE        equ 10000               ; reads of about 1 us: a full FIFO takes 1400 us

; 115200 baud, 8N1, where there is a UART. Keeps al.
serial_start:
        mov     ah, al
        mov     dx, UART_STATUS
        in      al, dx
        cmp     al, STATUS_NO_UART
        je      .done
        mov     esi, PHYSICAL(.writes)
        mov     ecx, (.writes_end - .writes) / 4
.next:  mov     dx, [esi]
        mov     al, [esi + 2]
        out     dx, al
        add     esi, 4
        loop    .next
.done:  mov     al, ah
        ret
.writes:
        dw      UART_LINE, LINE_8N1 | LINE_DIVISOR
        dw      UART_DATA, 1
        dw      UART_ENABLE, 0
        dw      UART_LINE, LINE_8N1
        dw      UART_ENABLE, 0          ; no interrupts
.writes_end:

; al to COM1; gives up on a UART that is not there or not working. One piece of
; code for both modes: it means the same in 64-bit mode.
letter:
        mov     ah, al
        mov     dx, UART_STATUS
        mov     ecx, PATIENCE
.wait:  in      al, dx
        cmp     al, STATUS_NO_UART
        je      .done
        test    al, STATUS_EMPTY
        loopz   .wait
        jz      .done
        mov     dx, UART_DATA
        mov     al, ah
        out     dx, al
.done:  ret

; ------------------------------------------------------------ data

GDT_CODE32      equ 0x00cf9a000000ffff
GDT_CODE64      equ 0x00af9a000000ffff
GDT_DATA        equ 0x00cf92000000ffff

        align   8
gdt:    dq      0
        %if WIDTH == 64
        dq      GDT_CODE64
%else
        dq      GDT_CODE32
%endif
        dq      GDT_DATA
gdt_pointer:
        dw      gdt_pointer - gdt - 1
        dd      PHYSICAL(gdt)

%define TOO_OLD "; a Pentium Pro or later is needed.", 0

no_cpuid:       db      "metalcopy: this CPU lacks CPUID", TOO_OLD
%if WIDTH == 64
no_long_mode:   db      "metalcopy: this CPU has no 64-bit mode; boot the i386 kernel.", 0
%else
no_pse:         db      "metalcopy: this CPU lacks PSE (4 MiB pages)", TOO_OLD
no_tsc:         db      "metalcopy: this CPU lacks TSC (RDTSC)", TOO_OLD
no_cmov:        db      "metalcopy: this CPU lacks CMOV", TOO_OLD
%endif

section .bss align=4096
root:           resb    PAGE_SIZE
%if WIDTH == 64
low_pointers:   resb    PAGE_SIZE
high_pointers:  resb    PAGE_SIZE
%endif
directories:    resb    4 * PAGE_SIZE

section .note.GNU-stack noalloc noexec nowrite progbits
