/* SPDX-License-Identifier: BSD-2-Clause */
/* GDT, TSS and IDT (SDM volume 3, 3.4.5, 7.7 and 6.14.1). */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/smp.h"
#include "kernel/user.h"

#define TRAPS           32
#define VECTORS         256
#define TRAP_STUB_BYTES 16

enum { VECTOR_NMI = 2, VECTOR_DF = 8, VECTOR_MC = 18 };

/* Big enough for a whole report. */
ENTRY_STACK(nmi_stack, 16384);
ENTRY_STACK(double_fault_stack, 16384);
ENTRY_STACK(machine_check_stack, 16384);

enum { IST_NONE, IST_NMI, IST_DF, IST_MC };

struct tss {
	uint32_t reserved0;
	uint64_t rsp[3];
	uint64_t reserved1;
	uint64_t ist[7]; /* number 1 first */
	uint64_t reserved2;
	uint16_t reserved3;
	uint16_t io_map; /* beyond the limit: no port for user mode */
} __attribute__((packed));
_Static_assert(sizeof(struct tss) == 104, "as the processor reads it");

/* What each CPU has for itself; the IDT is everybody's. */
struct descriptors {
	uint64_t gdt[SELECTOR_TSS / 8 + 2];
	struct tss tss;
};
_Static_assert(sizeof(struct descriptors) <= PAGE_SIZE, "descriptors_join() has one page");

static struct descriptors first_cpu ENTRY_DATA;

static const uint64_t segments[SELECTOR_TSS / 8] = {
	[SELECTOR_KERNEL_CODE / 8] = 0x00af9b000000ffff,
	[SELECTOR_KERNEL_DATA / 8] = 0x00cf93000000ffff,
	[SELECTOR_USER_CODE32 / 8] = 0x00cffb000000ffff,
	[SELECTOR_USER_DATA / 8] = 0x00cff3000000ffff,
	[SELECTOR_USER_CODE64 / 8] = 0x00affb000000ffff,
};

static struct gate {
	uint16_t offset0, selector;
	uint8_t ist, type;
	uint16_t offset16;
	uint32_t offset32, reserved;
} idt[VECTORS] ENTRY_DATA;

#define GATE_INTERRUPT 0x8e /* present, DPL 0: interrupts stay off in it */

struct table_register {
	uint16_t limit;
	const void *base;
} __attribute__((packed));

extern char trap_stubs[];

static void build(struct descriptors *d, const struct trap_stacks *stacks)
{
	uint64_t base = (uintptr_t)&d->tss;

	for (unsigned i = 0; i < SELECTOR_TSS / 8; i++)
		d->gdt[i] = segments[i];
	/* An available 64-bit TSS: type 9, present. */
	d->gdt[SELECTOR_TSS / 8] = (sizeof d->tss - 1) | (base & 0xffffff) << 16 |
				   (uint64_t)0x89 << 40 | (base >> 24 & 0xff) << 56;
	d->gdt[SELECTOR_TSS / 8 + 1] = base >> 32;
	d->tss.ist[IST_NMI - 1] = stacks->nmi;
	d->tss.ist[IST_DF - 1] = stacks->double_fault;
	d->tss.ist[IST_MC - 1] = stacks->machine_check;
	d->tss.io_map = sizeof d->tss;
}

/* The selectors that are loaded on another CPU come from its trampoline's GDT, where the
 * code segment is a 64-bit one under another number: so CS is loaded anew. */
static void load(const struct descriptors *d)
{
	struct table_register gdtr = { sizeof d->gdt - 1, d->gdt }, idtr = { sizeof idt - 1, idt };

	__asm__ volatile("lgdt %0\n\t"
			 "pushq %1\n\t"
			 "leaq 1f(%%rip), %%rax\n\t"
			 "pushq %%rax\n\t"
			 "lretq\n"
			 "1:\tltr %w2\n\t"
			 "lidt %3"
			 :
			 : "m"(gdtr), "i"(SELECTOR_KERNEL_CODE), "r"(SELECTOR_TSS), "m"(idtr)
			 : "rax", "memory");
}

static void set_gate(unsigned vector, uintptr_t entry, uint8_t ist)
{
	idt[vector] = (struct gate){ .offset0 = (uint16_t)entry,
				     .selector = SELECTOR_KERNEL_CODE,
				     .ist = ist,
				     .type = GATE_INTERRUPT,
				     .offset16 = (uint16_t)(entry >> 16),
				     .offset32 = (uint32_t)(entry >> 32) };
}

static void set_gates(void)
{
	for (unsigned vector = 0; vector < TRAPS; vector++)
		set_gate(vector, (uintptr_t)trap_stubs + vector * TRAP_STUB_BYTES,
			 vector == VECTOR_NMI  ? IST_NMI
			 : vector == VECTOR_DF ? IST_DF
			 : vector == VECTOR_MC ? IST_MC
					       : IST_NONE);
	for (unsigned vector = TRAPS; vector < VECTORS; vector++)
		set_gate(vector, (uintptr_t)interrupt_stray, IST_NONE);
}

void descriptors_interrupt(unsigned vector, void (*entry)(void))
{
	set_gate(vector, (uintptr_t)entry, IST_NONE);
}

#define STACK_TOP(name) ((uintptr_t)(name).stack + sizeof(name).stack)

void descriptors_tables(uintptr_t cr3)
{
	entry_state.kernel_cr3 = entry_state.user_cr3 = cr3;
}

void descriptors_user_stack(uintptr_t sp)
{
	first_cpu.tss.rsp[0] = sp;
}

void descriptors_start(void)
{
	const struct trap_stacks stacks = { STACK_TOP(nmi_stack), STACK_TOP(double_fault_stack),
					    STACK_TOP(machine_check_stack) };

	descriptors_tables(read_cr3());
	set_gates();
	build(&first_cpu, &stacks);
	load(&first_cpu);
}

void descriptors_join(void *page, const struct trap_stacks *stacks)
{
	build(page, stacks);
	load(page);
}
