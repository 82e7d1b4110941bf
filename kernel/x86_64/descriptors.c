/* SPDX-License-Identifier: BSD-2-Clause */
/* GDT, TSS and IDT (SDM volume 3, 3.4.5, 7.7 and 6.14.1). */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/user.h"

#define VECTORS         32
#define TRAP_STUB_BYTES 16

enum { VECTOR_NMI = 2, VECTOR_DF = 8, VECTOR_MC = 18 };

/* Big enough for a whole report. */
ENTRY_STACK(nmi_stack, 16384);
ENTRY_STACK(double_fault_stack, 16384);
ENTRY_STACK(machine_check_stack, 16384);

enum { IST_NONE, IST_NMI, IST_DF, IST_MC };

static struct {
	uint32_t reserved0;
	uint64_t rsp[3];
	uint64_t reserved1;
	uint64_t ist[7]; /* number 1 first */
	uint64_t reserved2;
	uint16_t reserved3;
	uint16_t io_map; /* beyond the limit: no port for user mode */
} __attribute__((packed)) tss ENTRY_DATA;
_Static_assert(sizeof tss == 104, "as the processor reads it");

static uint64_t gdt[] ENTRY_DATA = {
	[SELECTOR_KERNEL_CODE / 8] = 0x00af9b000000ffff,
	[SELECTOR_KERNEL_DATA / 8] = 0x00cf93000000ffff,
	[SELECTOR_USER_CODE32 / 8] = 0x00cffb000000ffff,
	[SELECTOR_USER_DATA / 8] = 0x00cff3000000ffff,
	[SELECTOR_USER_CODE64 / 8] = 0x00affb000000ffff,
	[SELECTOR_TSS / 8] = 0, /* and the next one */
	[SELECTOR_TSS / 8 + 1] = 0,
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

static void set_tss_descriptor(void)
{
	uint64_t base = (uintptr_t)&tss;

	/* An available 64-bit TSS: type 9, present. */
	gdt[SELECTOR_TSS / 8] = (sizeof tss - 1) | (base & 0xffffff) << 16 | (uint64_t)0x89 << 40 |
				(base >> 24 & 0xff) << 56;
	gdt[SELECTOR_TSS / 8 + 1] = base >> 32;
}

static void set_gate(unsigned vector, uint8_t ist)
{
	uintptr_t stub = (uintptr_t)trap_stubs + vector * TRAP_STUB_BYTES;

	idt[vector] = (struct gate){ .offset0 = (uint16_t)stub,
				     .selector = SELECTOR_KERNEL_CODE,
				     .ist = ist,
				     .type = GATE_INTERRUPT,
				     .offset16 = (uint16_t)(stub >> 16),
				     .offset32 = (uint32_t)(stub >> 32) };
}

#define STACK_TOP(name) ((uintptr_t)(name).stack + sizeof(name).stack)

void descriptors_tables(uintptr_t cr3)
{
	entry_state.kernel_cr3 = entry_state.user_cr3 = cr3;
}

void descriptors_user_stack(uintptr_t sp)
{
	tss.rsp[0] = sp;
}

void descriptors_start(void)
{
	struct table_register gdtr = { sizeof gdt - 1, gdt }, idtr = { sizeof idt - 1, idt };

	tss.ist[IST_NMI - 1] = STACK_TOP(nmi_stack);
	tss.ist[IST_DF - 1] = STACK_TOP(double_fault_stack);
	tss.ist[IST_MC - 1] = STACK_TOP(machine_check_stack);
	tss.io_map = sizeof tss;
	descriptors_tables(read_cr3());
	set_tss_descriptor();
	for (unsigned vector = 0; vector < VECTORS; vector++)
		set_gate(vector, vector == VECTOR_NMI  ? IST_NMI
				 : vector == VECTOR_DF ? IST_DF
				 : vector == VECTOR_MC ? IST_MC
						       : IST_NONE);
	__asm__ volatile("lgdt %0" : : "m"(gdtr));
	__asm__ volatile("ltr %w0" : : "r"(SELECTOR_TSS));
	__asm__ volatile("lidt %0" : : "m"(idtr));
}
