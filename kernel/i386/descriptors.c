/* SPDX-License-Identifier: BSD-2-Clause */
/* GDT, TSSs and IDT (SDM volume 3, chapters 3, 6 and 8). */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/i386/task.h"
#include "kernel/kernel.h"
#include "kernel/smp.h"
#include "kernel/user.h"

/* Access bytes, with the granularity nibble above: 4 GiB, 32-bit. */
#define CODE(dpl) (0xc09au | (dpl) << 5)
#define DATA(dpl) (0xc092u | (dpl) << 5)
#define DATA_DOWN 0xc096u /* from its limit up */
#define TSS_FREE  0x0089u

#define GATE_TASK      0x85u
#define GATE_INTERRUPT 0x8eu
#define GATE_USER      0xeeu /* the same, to be called from user mode */

#define GDT_ENTRIES (SELECTOR_TSS / 8 + TASKS)
#define TRAPS       32
#define VECTORS     256
#define VECTOR_CALL 0x80

#define TASK_STACK_SIZE 16384
GUARDED_STACK(nmi_stack, TASK_STACK_SIZE);
GUARDED_STACK(double_fault_stack, TASK_STACK_SIZE);
GUARDED_STACK(machine_check_stack, TASK_STACK_SIZE);

static uint64_t gdt[GDT_ENTRIES] ENTRY_DATA;
static uint64_t idt[VECTORS] ENTRY_DATA;

/* What descriptors_join() has a page for: neither may lie across a page edge. */
struct descriptors {
	uint64_t gdt[GDT_ENTRIES];
	struct tss tss[TASKS];
};
_Static_assert(sizeof(struct descriptors) <= PAGE_SIZE, "one page");

extern const uint32_t trap_stubs[TRAPS];

struct table_pointer {
	uint16_t limit;
	uint32_t base;
} __attribute__((packed));

static uint64_t segment(uint32_t base, uint32_t limit, uint32_t type)
{
	return (uint64_t)(base & 0xff000000) << 32 | (uint64_t)(type & 0xf0ff) << 40 |
	       (uint64_t)(limit & 0xf0000) << 32 | (uint64_t)(base & 0xffffff) << 16 |
	       (limit & 0xffff);
}

static uint64_t gate(uint32_t selector, uint32_t offset, uint32_t type)
{
	return (uint64_t)(offset & 0xffff0000) << 32 | (uint64_t)type << 40 | selector << 16 |
	       (offset & 0xffff);
}

static void gdt_build(uint64_t *table, const struct tss *tasks)
{
	table[SELECTOR_KERNEL_CODE / 8] = segment(0, 0xfffff, CODE(0u));
	table[SELECTOR_KERNEL_DATA / 8] = segment(0, 0xfffff, DATA(0u));
	table[SELECTOR_USER_CODE32 / 8] = segment(0, 0xfffff, CODE(3u));
	table[SELECTOR_USER_DATA / 8] = segment(0, 0xfffff, DATA(3u));
	table[SELECTOR_LIMITED_DATA / 8] = segment(0, USER_AREAS / PAGE_SIZE - 1, DATA_DOWN);
	for (unsigned i = 0; i < TASKS; i++)
		table[task_selector(i) / 8] =
			segment((uint32_t)&tasks[i], sizeof tasks[i] - 1, TSS_FREE);
}

static void gdt_load(const uint64_t *table)
{
	const struct table_pointer pointer = { 8 * GDT_ENTRIES - 1, (uint32_t)table };
	__asm__ volatile("lgdt %0\n\t"
			 "ljmp %1, $1f\n"
			 "1:\n\t"
			 "mov %2, %%ds\n\t"
			 "mov %2, %%es\n\t"
			 "mov %2, %%fs\n\t"
			 "mov %2, %%gs\n\t"
			 "mov %2, %%ss\n\t"
			 "lldt %w3\n\t"
			 "ltr %w4"
			 :
			 : "m"(pointer), "i"(SELECTOR_KERNEL_CODE), "r"(SELECTOR_KERNEL_DATA),
			   "r"(0), "r"(SELECTOR_TSS)
			 : "memory");
}

static void idt_build(void)
{
	for (unsigned i = 0; i < TRAPS; i++)
		idt[i] = gate(SELECTOR_KERNEL_CODE, trap_stubs[i], GATE_INTERRUPT);
	for (unsigned i = TASK_NMI; i < TASKS; i++)
		idt[task_vector(i)] = gate(task_selector(i), 0, GATE_TASK);
	for (unsigned i = TRAPS; i < VECTORS; i++)
		descriptors_interrupt(i, interrupt_stray);
}

void descriptors_user_gate(uintptr_t entry)
{
	idt[VECTOR_CALL] = gate(SELECTOR_KERNEL_CODE, entry, GATE_USER);
}

static void idt_load(void)
{
	const struct table_pointer pointer = { sizeof idt - 1, (uint32_t)idt };
	__asm__ volatile("lidt %0" : : "m"(pointer));
}

void descriptors_interrupt(unsigned vector, void (*entry)(void))
{
	idt[vector] = gate(SELECTOR_KERNEL_CODE, (uint32_t)entry, GATE_INTERRUPT);
}

#define STACK_TOP(name) ((uintptr_t)(name).stack + sizeof(name).stack)

void descriptors_start(void)
{
	const struct trap_stacks stacks = { STACK_TOP(nmi_stack), STACK_TOP(double_fault_stack),
					    STACK_TOP(machine_check_stack) };
	tasks_build(tss, &stacks);
	descriptors_tables(read_cr3());
	gdt_build(gdt, tss);
	gdt_load(gdt);
	idt_build();
	idt_load();
}

void descriptors_join(void *page, const struct trap_stacks *stacks)
{
	struct descriptors *own = page;
	tasks_build(own->tss, stacks);
	gdt_build(own->gdt, own->tss);
	gdt_load(own->gdt);
	idt_load();
}
