/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that differs between the two widths, and nothing else:
 *
 *	struct trap_frame and its accessors     kernel/<width>/frame.h
 *	descriptors_start(), physical_read()    kernel/<width>/ *.c
 *	trap entry                              kernel/<width>/trap.asm
 *	the page-table format                   struct paging_format below
 *	what raises #GP                         kernel/<width>/limit.c
 *	the address space                       kernel/layout.h
 */
#ifndef KERNEL_ARCH_H
#define KERNEL_ARCH_H

#include "kernel/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include "kernel/x86_64/frame.h"
#else
#include "kernel/i386/frame.h"
#endif

/*
 * frame.h gives struct trap_frame with at least the members
 *
 *	uintptr_t bp, vector, error, ip, cs, flags
 *
 * all of which may be changed and take effect when trap() returns, and
 *
 *	uintptr_t frame_sp(const struct trap_frame *);
 *	void frame_set_sp(struct trap_frame *, uintptr_t sp);
 *	unsigned frame_registers(const struct trap_frame *, uintptr_t *reg);
 *	int frame_is_user(const struct trap_frame *);
 *	void frame_to_kernel(struct trap_frame *);
 *
 * frame_to_kernel() has the frame go on in the kernel with the kernel's segments, whatever
 * the interrupted code had loaded; its stack pointer is set after it. frame_registers()
 * fills struct fault's reg[] (suite/machine.h) and returns how many there are. A frame
 * built by an i386 task gate behaves the same: changes go to the interrupted task's TSS.
 */

/*
 * The handler of every vector, called by the stubs of kernel/<width>/trap.asm with
 * DF and AC clear and interrupts off, on the interrupted stack, or on a stack of its
 * own for #DF, NMI and #MC. Returning resumes what the frame says, by IRET.
 */
void trap(struct trap_frame *frame);

/* GDT, TSS and IDT: all 32 vectors; #DF, NMI and #MC by IST or task gate. Runs before
 * memory_start(): uses nothing but static data. */
void descriptors_start(void);

/* The same for another CPU, which calls this: its own GDT and TSS in a zeroed page, the
 * tops of its own stacks, and the common IDT. */
struct trap_stacks {
	uintptr_t nmi, double_fault, machine_check;
};
void descriptors_join(void *page, const struct trap_stacks *stacks);

/* Where an interrupt goes, on every CPU; interrupt_stray() until told. Vectors from 32. */
void descriptors_interrupt(unsigned vector, void (*entry)(void));

/* To be called with each new CR3 of the kernel's: on i386 a task switch loads CR3 from the
 * TSS, and never stores it there. */
void descriptors_tables(uintptr_t cr3);

/*
 * Before a routine is called with these two addresses: has accesses raise #GP, or #SS, where
 * machine_noncanonical() says that they will. True where segments had to be loaded for that,
 * with which the kernel can go on, and which segments_flat() then ends.
 */
bool segments_limit(uintptr_t to, uintptr_t from);
void segments_flat(void);

/* The stack that a trap from user mode switches to. */
void descriptors_user_stack(uintptr_t sp);

/*
 * How page tables look, chosen by the width and, on i386, by what boot/entry.asm
 * found the CPU to have; the walk itself (kernel/paging.c) is one for all:
 *
 *	            levels  index_bits  entry_bytes
 *	x86_64      4       9           8
 *	i386 PAE    3       9 (top: 2)  8
 *	i386        2       10          4
 */
struct paging_format {
	uint8_t levels, index_bits, entry_bytes;
};
struct paging_format paging_format(void);

/*
 * Copies n bytes of physical memory to `to`, wherever they lie (boot data, firmware
 * tables), from the first line of kernel_main() on. On x86_64 boot/entry.asm maps
 * the first 4 GiB at DIRECT_BASE; on i386 what lies above the direct map is read
 * through a window of large pages. False where the address is beyond what can be
 * mapped.
 */
bool physical_read(void *to, uint64_t address, size_t n);

#endif
