/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "lib/extable.h"
#include "lib/option.h"

static bool writes = true;

static bool set_msr(const char *value)
{
	return option_on_off(value, &writes);
}
OPTION(msr, "on|off", "off: write none that the kernel can do without", set_msr);

bool msr_writes(void)
{
	return writes;
}

static bool has_msrs(void)
{
	return machine_cpuid(1, 0).edx & 1u << 5;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
	uint32_t low = 0, high = 0, failed = 1;
	if (!has_msrs())
		return false;
	__asm__ volatile("1:	rdmsr\n"
			 "	xorl %0, %0\n"
			 "2:\n" EXTABLE("1b", "2b")
			 : "+r"(failed), "+a"(low), "+d"(high)
			 : "c"(msr));
	if (!failed)
		*value = (uint64_t)high << 32 | low;
	return !failed;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	uint32_t failed = 1;
	if (!writes || !has_msrs())
		return false;
	__asm__ volatile("1:	wrmsr\n"
			 "	xorl %0, %0\n"
			 "2:\n" EXTABLE("1b", "2b")
			 : "+r"(failed)
			 : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
	return !failed;
}
