/* SPDX-License-Identifier: BSD-2-Clause */
/* Switches and counts of the core that are no performance counters. All MSRs are
 * touched fault-safely: hypervisors leave out or ignore what they please. */
#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/kernel.h"
#include "suite/machine.h"

#define MSR_SMI_COUNT            0x00000034u /* Intel, since Nehalem */
#define MSR_MISC_FEATURE_CONTROL 0x000001a4u /* Intel: bits 0 to 3 turn a prefetcher off each */
#define MSR_APERF                0x000000e8u
#define MSR_PREFETCH_CONTROL     0xc0000108u /* AMD: the same, bits 0 to 3 and 5 */
#define MSR_DE_CFG               0xc0011029u /* AMD */
#define DE_CFG_LFENCE_SERIALISES ((uint64_t)1 << 1)

/* On AMD, lfence waits for what is before it only where this bit is set; some
 * hypervisors take the write and drop it. */
void core_start(void)
{
	uint64_t value;
	if (vendor_is("AuthenticAMD") && msr_read(MSR_DE_CFG, &value))
		msr_write(MSR_DE_CFG, value | DE_CFG_LFENCE_SERIALISES);
}

/* ------------------------------------------------------------ prefetchers */

static bool prefetch_switch(uint32_t *msr, uint64_t *mask)
{
	if (vendor_is("AuthenticAMD") && machine_cpuid(0x80000021, 0).eax & 1u << 13) {
		*msr = MSR_PREFETCH_CONTROL;
		*mask = 0x2f;
		return true;
	}
	*msr = MSR_MISC_FEATURE_CONTROL;
	*mask = 0xf;
	return vendor_is("GenuineIntel") && cpu_family() == 6;
}

const char *prefetchers_found(void)
{
	uint32_t msr;
	uint64_t mask, value;
	if (!prefetch_switch(&msr, &mask) || !msr_read(msr, &value))
		return "n/a";
	return value & mask ? "off" : "on";
}

bool machine_prefetchers(bool on, const char **why)
{
	static uint64_t found;
	static bool kept;
	uint32_t msr;
	uint64_t mask, value;
	*why = "this CPU has no switch for them";
	if (!prefetch_switch(&msr, &mask) || !msr_read(msr, &value))
		return false;
	if (!kept)
		found = value;
	kept = true;
	uint64_t wanted = on ? found : value | mask;
	*why = "the switch does not hold";
	return msr_write(msr, wanted) && msr_read(msr, &value) && value == wanted;
}

/* ------------------------------------------------------------ counts */

uint64_t machine_disturbances(void)
{
	static bool tried, there;
	uint64_t count = 0;
	if (!tried)
		there = vendor_is("GenuineIntel") && msr_read(MSR_SMI_COUNT, &count);
	tried = true;
	if (there)
		msr_read(MSR_SMI_COUNT, &count);
	return count;
}

bool machine_move(void)
{
	return false;
}

bool machine_core_count(uint64_t *cycles, const char **source)
{
	const char *why;
	*source = "counter";
	if (machine_event(EVENT_CYCLES, cycles, &why))
		return true;
	*source = "aperf";
	return machine_cpuid(6, 0).ecx & 1 && msr_read(MSR_APERF, cycles);
}
