/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses that raise #GP, or #SS through esp and ebp: there is none that is not canonical,
 * but for a call that is given one of the first after the user's program, data and stack
 * segments begin at USER_AREAS (expand-down, SDM volume 3, 3.4.5.1). Nothing is mapped at those
 * that are given, and an emulator that leaves limits out raises #PF.
 */
#include "kernel/arch.h"
#include "kernel/kernel.h"

#define UNMAPPED (USER_PROGRAM + USER_PROGRAM_BYTES)

#define VECTOR_GP 13

static void load(uint32_t selector)
{
	__asm__ volatile("mov %0, %%ds\n\t"
			 "mov %0, %%es\n\t"
			 "mov %0, %%ss"
			 :
			 : "r"(selector)
			 : "memory");
}

/* Where a buffer begins: not right below the first area, where one may that hangs over it. */
static bool is_limited(uintptr_t address)
{
	return address >= UNMAPPED && address < UNMAPPED + PAGE_SIZE;
}

bool segments_limit(uintptr_t to, uintptr_t from)
{
	if (!is_limited(to) && !is_limited(from))
		return false;
	load(SELECTOR_LIMITED_DATA);
	return true;
}

void segments_flat(void)
{
	load(SELECTOR_KERNEL_DATA);
}

static size_t touch(void *to, const void *from, size_t n)
{
	(void)to;
	return n + *(const volatile uint8_t *)from;
}

static bool enforced(void)
{
	struct outcome outcome;

	machine_call((uintptr_t)touch, NULL, (const void *)UNMAPPED, 0, &outcome);
	return !outcome.returned && outcome.fault.vector == VECTOR_GP;
}

uint8_t *machine_noncanonical(const char **why)
{
	*why = "segment limits are not enforced here";
	return enforced() ? (uint8_t *)UNMAPPED : NULL;
}
