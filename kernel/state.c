/* SPDX-License-Identifier: BSD-2-Clause */
/* What only ring 0 can do to caches and TLBs, for the suite. */
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "lib/line.h"
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

bool machine_tlb_forget(const void *p, size_t n, bool tables, const char **why)
{
	uintptr_t first = (uintptr_t)p & -(uintptr_t)PAGE_SIZE;

	*why = "no clflush";
	if (tables && !(machine_cpuid(1, 0).edx & CPUID1_EDX_CLFSH))
		return false;
	for (uintptr_t page = first; page < (uintptr_t)p + n; page += PAGE_SIZE) {
		if (tables)
			page_tables_flush(page);
		invlpg(page);
	}
	return true;
}
