/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/lapic.h"

#include "kernel/cpu.h"
#include "kernel/kernel.h"

#define APIC_BASE_ENABLED (1u << 11)
#define APIC_BASE_X2APIC  (1u << 10)
#define X2APIC_MSR        0x800u
#define CPUID1_EDX_APIC   (1u << 9)
#define COMMAND_PENDING   (1u << 12)
#define COMMAND_ASSERT    (1u << 14)
#define COMMAND_PATIENCE  1000000u /* reads; some 100 ns each */
#define XAPIC_ID_MAX      254u     /* 255 is everybody */

static volatile uint32_t *registers; /* NULL in x2APIC mode */
static bool present, x2apic;

uint32_t lapic_read(enum lapic_register reg)
{
	return registers ? registers[reg / 4] : (uint32_t)rdmsr(X2APIC_MSR + reg / 16);
}

void lapic_write(enum lapic_register reg, uint32_t value)
{
	if (registers)
		registers[reg / 4] = value;
	else
		wrmsr(X2APIC_MSR + reg / 16, value);
}

static bool find(void)
{
	uint64_t base;
	if (!(machine_cpuid(1, 0).edx & CPUID1_EDX_APIC) || !msr_read(MSR_APIC_BASE, &base) ||
	    !(base & APIC_BASE_ENABLED))
		return false;
	x2apic = base & APIC_BASE_X2APIC;
	if (x2apic)
		return true;
	registers = device_map(base & ~(uint64_t)(PAGE_SIZE - 1), PAGE_SIZE, PAGE_UNCACHED);
	return registers;
}

/* The vector table entries that there are: the version register tells their number. */
static void mask(void)
{
	uint32_t last = lapic_read(LAPIC_VERSION) >> 16 & 0xff;
	lapic_write(LAPIC_TIMER, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	lapic_write(LAPIC_ERROR, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	lapic_write(LAPIC_LINT0, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	lapic_write(LAPIC_LINT1, LAPIC_DELIVER_NMI);
	if (last >= 4)
		lapic_write(LAPIC_COUNTER, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	if (last >= 5)
		lapic_write(LAPIC_THERMAL, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	if (last >= 6)
		lapic_write(LAPIC_CMCI, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
}

bool lapic_start(void)
{
	present = find();
	if (!present)
		return false;
	/* turned off by software, every entry stays masked, LINT1 too */
	lapic_write(LAPIC_SPURIOUS, LAPIC_SOFTWARE_ON | LAPIC_SPURIOUS_VEC);
	mask();
	return true;
}

/* From x2APIC mode the way back leads through off; to it, through the other (SDM volume
 * 3, 10.12.5). */
static void join_mode(void)
{
	uint64_t base = rdmsr(MSR_APIC_BASE) & ~(uint64_t)(APIC_BASE_ENABLED | APIC_BASE_X2APIC);
	if (!x2apic && rdmsr(MSR_APIC_BASE) & APIC_BASE_X2APIC)
		wrmsr(MSR_APIC_BASE, base);
	if (!(rdmsr(MSR_APIC_BASE) & APIC_BASE_X2APIC))
		wrmsr(MSR_APIC_BASE, base | APIC_BASE_ENABLED);
	if (x2apic)
		wrmsr(MSR_APIC_BASE, base | APIC_BASE_ENABLED | APIC_BASE_X2APIC);
}

void lapic_join(void)
{
	join_mode();
	lapic_write(LAPIC_SPURIOUS, LAPIC_SOFTWARE_ON | LAPIC_SPURIOUS_VEC);
	mask();
	lapic_write(LAPIC_LINT1, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
}

bool lapic_send(uint32_t id, uint32_t message)
{
	message |= COMMAND_ASSERT;
	if (x2apic) {
		/* the write waits for no store before it (SDM volume 3, 10.12.3) */
		__asm__ volatile("mfence\n\tlfence" : : : "memory");
		wrmsr(X2APIC_MSR + LAPIC_COMMAND / 16, (uint64_t)id << 32 | message);
		return true;
	}
	for (unsigned i = 0; lapic_read(LAPIC_COMMAND) & COMMAND_PENDING; i++)
		if (i == COMMAND_PATIENCE)
			return false;
	if (id > XAPIC_ID_MAX)
		return false;
	lapic_write(LAPIC_TARGET, id << 24);
	lapic_write(LAPIC_COMMAND, message);
	return true;
}

bool lapic_present(void)
{
	return present;
}

uint32_t lapic_id(void)
{
	uint32_t id = lapic_read(LAPIC_ID);
	return x2apic ? id : id >> 24;
}
