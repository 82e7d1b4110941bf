/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of recorded CPUs, on MSRs that count by themselves. Included as it is, since
 * what it found of one CPU is to be forgotten for the next. */
#include "kernel/counters.c"

#include "tests/unit/cpuid.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ a CPU's MSRs */

#define MSRS 64u

static struct {
	uint32_t number;
	uint64_t value;
} msrs[MSRS];
static unsigned msr_count;
/* A hypervisor need not have what CPUID says, nor count. */
static bool l3_is_there, standing_still;

static uint64_t *msr_at(uint32_t number)
{
	for (unsigned i = 0; i < msr_count; i++)
		if (msrs[i].number == number)
			return &msrs[i].value;
	msrs[msr_count].number = number;
	msrs[msr_count].value = 0;
	return &msrs[msr_count++].value;
}

/* Of what is counted in the self-test, as many as there are of it. */
static uint64_t counted(uint64_t select)
{
	bool work = (select & 0xffff) == 0x76 || (select & 0xff) == 0x3c || (select & 0xff) == 0xc0;
	if (standing_still || !(select & SELECT_ENABLE))
		return 0;
	return work ? TEST_CALLS * PROBE_LENGTH : TEST_LINES;
}

bool msr_read(uint32_t number, uint64_t *value)
{
	if (number >> 4 == 0xc001023 && !l3_is_there)
		return false;
	if (number >> 8 == 0xc00102 && number & 1)
		*msr_at(number) += counted(*msr_at(number - 1));
	if (number >= MSR_INTEL_COUNTER && number < MSR_INTEL_COUNTER + 8)
		*msr_at(number) += counted(*msr_at(MSR_INTEL_SELECT + number - MSR_INTEL_COUNTER));
	if (number >= MSR_AMD_OLD_COUNTER && number < MSR_AMD_OLD_COUNTER + 4)
		*msr_at(number) += counted(*msr_at(number - 4));
	*value = *msr_at(number);
	return true;
}

bool msr_write(uint32_t number, uint64_t value)
{
	if (number >> 4 == 0xc001023 && !l3_is_there)
		return false;
	*msr_at(number) = value;
	return true;
}

bool vendor_is(const char *name)
{
	struct cpuid_regs r = machine_cpuid(0, 0);
	const uint32_t text[] = { r.ebx, r.edx, r.ecx };
	return memcmp(text, name, sizeof(text)) == 0;
}

unsigned cpu_family(void)
{
	uint32_t family = machine_cpuid(1, 0).eax >> 8 & 15;
	return family == 15 ? family + (machine_cpuid(1, 0).eax >> 20 & 255) : family;
}

/* ------------------------------------------------------------ the tests */

static void become(const char *name)
{
	static struct cpuid_table table;
	char path[128];
	snprintf(path, sizeof(path), CPUID_FOLDER "/%s.txt", name);
	cpuid_table_load(path, &table);
	machine_table = &table;
	memset(&core, 0, sizeof(core));
	memset(&l3, 0, sizeof(l3));
	memset(events, 0, sizeof(events));
	global = 0;
	found = false;
	msr_count = 0;
	l3_is_there = true;
	standing_still = false;
}

static bool counts(enum event event)
{
	const char *why;
	uint64_t before, after;
	return machine_event(event, &before, &why) && machine_event(event, &after, &why) &&
	       after > before;
}

TEST(counters_of_intel)
{
	const char *why;
	uint64_t count;

	become("core2-conroe");
	CHECK(counts(EVENT_CYCLES));
	CHECK(counts(EVENT_LLC_REFERENCES));
	CHECK(!machine_event(EVENT_LLC_MISSES, &count, &why));
	CHECK_TEXT(why, "no counter is free");
	CHECK_NUMBER(*msr_at(0x186), 0x43003c);
	CHECK_NUMBER(*msr_at(0x187), 0x434f2e);
	CHECK_NUMBER(*msr_at(0x38f), 3);

	become("pentium3-katmai");
	CHECK(counts(EVENT_INSTRUCTIONS));
	CHECK(counts(EVENT_LLC_MISSES));
	CHECK_NUMBER(*msr_at(0x186), 0x4300c0);
	CHECK_NUMBER(*msr_at(0x187), 0x430024);
	machine_table = NULL;
}

TEST(l3_counters_of_amd)
{
	static const struct {
		const char *cpu;
		uint64_t references, misses;
	} cpus[] = {
		{ "ryzen-zen1", 0xff0f00000040ff04, 0xff0f00000040ff06 },
		{ "ryzen-zen2", 0xff0f00000040ff04, 0xff0f00000040ff06 },
		{ "ryzen-zen3", 0x0300c0000040ff04, 0x0300c00000400104 },
		{ "ryzen-zen5", 0x0300c0000040ff04, 0x0300c00000400104 },
	};

	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		become(cpus[i].cpu);
		CHECK(counts(EVENT_CYCLES));
		CHECK(counts(EVENT_LLC_REFERENCES));
		CHECK(counts(EVENT_LLC_MISSES));
		CHECK_NUMBER(*msr_at(0xc0010200), 0x430076);
		CHECK_NUMBER(*msr_at(0xc0010202), 0);
		CHECK_NUMBER(*msr_at(0xc0010230), cpus[i].references);
		CHECK_NUMBER(*msr_at(0xc0010232), cpus[i].misses);
	}
	machine_table = NULL;
}

TEST(without_l3_counters_the_cores_count)
{
	become("ryzen-zen3");
	l3_is_there = false;
	CHECK(counts(EVENT_LLC_REFERENCES));
	CHECK(counts(EVENT_LLC_MISSES));
	CHECK_NUMBER(*msr_at(0xc0010200), 0x430864);
	CHECK_NUMBER(*msr_at(0xc0010202), 0x434843);

	become("epyc-genoa-kvm"); /* whose CPUID has neither */
	CHECK(counts(EVENT_LLC_MISSES));
	CHECK_NUMBER(*msr_at(0xc0010000), 0x434843);
	machine_table = NULL;
}

TEST(a_counter_that_does_not_count_is_refused)
{
	const char *why;
	uint64_t count;

	become("ryzen-zen3");
	standing_still = true;
	CHECK(!machine_event(EVENT_LLC_MISSES, &count, &why));
	CHECK_TEXT(why, "the counter did not count a known piece of work");
	CHECK(!machine_event(EVENT_CYCLES, &count, &why));
	CHECK_TEXT(why, "the counter did not count a known piece of work");
	machine_table = NULL;
}
