/* SPDX-License-Identifier: BSD-2-Clause */
/* GDT, TSSs and IDT (SDM volume 3, chapters 3, 6 and 8). */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/i386/task.h"
#include "kernel/kernel.h"
#include "kernel/user.h"

/* Access bytes, with the granularity nibble above: 4 GiB, 32-bit. */
#define CODE(dpl) (0xc09au | (dpl) << 5)
#define DATA(dpl) (0xc092u | (dpl) << 5)
#define TSS_FREE  0x0089u

#define GATE_TASK      0x85u
#define GATE_INTERRUPT 0x8eu
#define GATE_USER      0xeeu /* the same, to be called from user mode */

#define GDT_ENTRIES (SELECTOR_TSS / 8 + TASKS)
#define VECTORS     32
#define VECTOR_CALL 0x80

static uint64_t gdt[GDT_ENTRIES] ENTRY_DATA;
static uint64_t idt[VECTOR_CALL + 1] ENTRY_DATA; /* not present between the two */

extern const uint32_t trap_stubs[VECTORS];

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

static void gdt_build(void)
{
	gdt[SELECTOR_KERNEL_CODE / 8] = segment(0, 0xfffff, CODE(0u));
	gdt[SELECTOR_KERNEL_DATA / 8] = segment(0, 0xfffff, DATA(0u));
	gdt[SELECTOR_USER_CODE32 / 8] = segment(0, 0xfffff, CODE(3u));
	gdt[SELECTOR_USER_DATA / 8] = segment(0, 0xfffff, DATA(3u));
	for (unsigned i = 0; i < TASKS; i++)
		gdt[task_selector(i) / 8] = segment((uint32_t)&tss[i], sizeof tss[i] - 1, TSS_FREE);
}

static void gdt_load(void)
{
	const struct table_pointer pointer = { sizeof gdt - 1, (uint32_t)gdt };
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
	for (unsigned i = 0; i < VECTORS; i++)
		idt[i] = gate(SELECTOR_KERNEL_CODE, trap_stubs[i], GATE_INTERRUPT);
	for (unsigned i = TASK_NMI; i < TASKS; i++)
		idt[task_vector(i)] = gate(task_selector(i), 0, GATE_TASK);
}

void descriptors_user_gate(uintptr_t entry)
{
	idt[VECTOR_CALL] = gate(SELECTOR_KERNEL_CODE, entry, GATE_USER);
}

void descriptors_start(void)
{
	const struct table_pointer pointer = { sizeof idt - 1, (uint32_t)idt };
	tasks_build();
	gdt_build();
	gdt_load();
	idt_build();
	__asm__ volatile("lidt %0" : : "m"(pointer));
}
