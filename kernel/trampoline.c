/* SPDX-License-Identifier: BSD-2-Clause */
/* The page below 1 MiB that other CPUs start in, and the messages that start them. */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/kernel.h"
#include "kernel/lapic.h"
#include "kernel/smp.h"
#include "lib/string.h"

#define REAL_MODE   0xa0000u /* the end of what it reaches and is memory */
#define INIT_US     10000
#define STARTUP_US  200
#define PATIENCE_US 500000
#define VIRTUAL_US  20000000 /* a thread that may be given no time */

static uint64_t page;           /* physical, and where it is mapped meanwhile */
static uint8_t kept[PAGE_SIZE]; /* what was in it */

static bool overlaps(const struct memory_range *r, uint64_t start)
{
	return start < r->end && r->start < start + PAGE_SIZE;
}

/* Memory by the loader's map, all of it, and nobody's. */
static bool is_free(uint64_t start)
{
	bool usable = false;

	for (size_t i = 0; i < boot_info.memory_ranges; i++) {
		const struct memory_range *r = &boot_info.memory[i];

		if (r->kind == MEMORY_USABLE)
			usable |= r->start <= start && start + PAGE_SIZE <= r->end;
		else if (overlaps(r, start))
			return false;
	}
	for (size_t i = 0; i < boot_info.module_count; i++)
		if (overlaps(&boot_info.modules[i], start))
			return false;
	return usable && !page_find((uintptr_t)start, NULL, NULL);
}

bool trampoline_open(void)
{
	for (page = REAL_MODE - PAGE_SIZE; page && !is_free(page);)
		page -= PAGE_SIZE;
	if (!page || !page_map((uintptr_t)page, page, PAGE_SIZE, PAGE_EXECUTE))
		return false;
	memcpy(kept, direct(page), PAGE_SIZE);
	return true;
}

void trampoline_close(void)
{
	page_unmap((uintptr_t)page, PAGE_SIZE);
	memcpy(direct(page), kept, PAGE_SIZE);
}

static void prepare(uintptr_t stack)
{
	struct ap_start start = {
		.entry = (uintptr_t)ap_entry,
		.stack = stack,
		.cr0 = (uint32_t)read_cr0(),
		.cr3 = (uint32_t)read_cr3(),
		.cr4 = (uint32_t)read_cr4() & (CR4_PSE | CR4_PAE),
	};

	if (sizeof(void *) == 8 || cpu.nx) {
		start.efer = (uint32_t)rdmsr(MSR_EFER) & (EFER_LME | EFER_NXE);
		start.has_efer = 1;
	}
	memcpy(direct(page), ap_trampoline, (size_t)(ap_trampoline_end - ap_trampoline));
	memcpy((uint8_t *)direct(page) + AP_START, &start, sizeof start);
}

static bool arrives(const volatile uint32_t *arrived, uint64_t us)
{
	for (uint64_t deadline = clock_deadline(us); rdtsc() < deadline;)
		if (__atomic_load_n(arrived, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

/* SDM volume 3, 8.4.4.1. The second SIPI is for CPUs that missed the first. */
bool trampoline_start(uint32_t lapic, uintptr_t stack, const volatile uint32_t *arrived)
{
	uint32_t startup = LAPIC_MESSAGE_STARTUP | (uint32_t)(page / PAGE_SIZE);
	uint64_t patience = is_virtual() ? VIRTUAL_US : PATIENCE_US;

	prepare(stack);
	if (!lapic_send(lapic, LAPIC_MESSAGE_INIT))
		return false;
	arrives(arrived, INIT_US);
	if ((lapic_send(lapic, startup) && arrives(arrived, STARTUP_US)) ||
	    (lapic_send(lapic, startup) && arrives(arrived, patience)))
		return true;
	lapic_send(lapic, LAPIC_MESSAGE_INIT); /* so that it does not come late */
	return false;
}
