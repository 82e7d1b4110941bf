/* SPDX-License-Identifier: BSD-2-Clause */
/* What only ring 0 can do to caches and TLBs, for the suite. */
#include "kernel/kernel.h"
#include "suite/machine.h"

void machine_user_access(bool open)
{
	if (!cpu.smap)
		return;
	if (open)
		__asm__ volatile("stac" : : : "memory", "cc");
	else
		__asm__ volatile("clac" : : : "memory", "cc");
}

bool machine_flush_caches(const char **why)
{
	*why = NULL;
	__asm__ volatile("wbinvd" : : : "memory");
	return true;
}
