/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The other CPUs: started by INIT and SIPI (SDM volume 3, 8.4), then parked in HLT,
 * their local APIC's own sources of interrupts masked, until they are given work
 * (machine_cpu_run()). Each has stacks, GDT and TSS of its own, in a block of addresses
 * of its own. Which CPU runs, machine_cpu(), is told by the stack that it runs on: no
 * register can be trusted in a trap.
 */
#ifndef KERNEL_SMP_H
#define KERNEL_SMP_H

#include "suite/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts as many as cpus= says. Needs clocks and local APIC. */
void smp_start(void);

/* CPUs that run, the first included. */
unsigned smp_used(void);

/* Is this a page that keeps two stacks of another CPU apart? */
bool smp_is_guard(uintptr_t address);

/* The end of another CPU: CPU 0 is sent an NMI, and reports it. */
_Noreturn void smp_faulted(const struct fault *fault);
/* What another CPU ended by, or NULL. */
const struct fault *smp_fault(void);

/*
 * For a change of page tables that other CPUs may have seen, in two steps: the first asks
 * every CPU to drop its translations of these addresses, the second waits until they have
 * (nothing where this CPU has not begun). A CPU that has its interrupts off makes all
 * others wait; after SMP_PATIENCE_MS it is a panic. CPU 0, whose interrupts are off as a
 * rule, answers while it waits for others itself.
 */
void tlb_shootdown_begin(uintptr_t address, size_t bytes);
void tlb_shootdown_finish(void);
#define SMP_PATIENCE_MS 10000u

/* One turn of a loop that waits for another CPU; *deadline is 0 at first. Panics with
 * these words when it lasts longer than SMP_PATIENCE_MS. */
void smp_wait(uint64_t *deadline, const char *words);

/* ------------------------------------------------------------ of kernel/trampoline.c */

/* A page below 1 MiB to start other CPUs in: between the two it is mapped at its own
 * address. False: there is none. */
bool trampoline_open(void);
void trampoline_close(void);

/* Sends that CPU to ap_entry() on that stack. False where *arrived, which it shall make
 * other than 0 then, stays 0: it is stopped again, for what it may still do. */
bool trampoline_start(uint32_t lapic, uintptr_t stack, const volatile uint32_t *arrived);

/* What the trampoline finds at AP_START in the page it runs in: all it needs to know of
 * the CPU that boots. */
struct ap_start {
	uint64_t entry, stack;
	uint32_t cr0, cr3, cr4;
	uint32_t efer, has_efer; /* has_efer = 0: there is no such MSR */
};
#define AP_START 0xe00

extern const uint8_t ap_trampoline[], ap_trampoline_end[];

/* Where the trampoline goes, on the CPU's own stack. */
_Noreturn void ap_entry(void);

/* ------------------------------------------------------------ of kernel/interrupt.asm */

void interrupt_wake(void);
void interrupt_shootdown(void);
void interrupt_stray(void);

#endif
