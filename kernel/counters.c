/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Performance counters: one hardware counter for each event that is asked for. An
 * event is used only after it has counted a known piece of work rightly: a counter
 * that a hypervisor does not give reads as 0 or faults, and both come out here.
 */
#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/kernel.h"
#include "lib/line.h"
#include "lib/probe.h"
#include "suite/machine.h"

#define SELECT_USER   (1u << 16)
#define SELECT_KERNEL (1u << 17)
#define SELECT_ENABLE (1u << 22)

#define MSR_INTEL_COUNTER   0x000000c1u
#define MSR_INTEL_SELECT    0x00000186u
#define MSR_INTEL_GLOBAL    0x0000038fu
#define MSR_AMD_OLD_SELECT  0xc0010000u
#define MSR_AMD_OLD_COUNTER 0xc0010004u
#define MSR_AMD_SELECT      0xc0010200u /* and the counter after it */
#define MSR_AMD_L3_SELECT   0xc0010230u /* the same */
#define MSR_AMD_GLOBAL      0xc0000301u

#define L3_SLICES_17H  ((uint64_t)0xf << 48)  /* each of the complex's slices */
#define L3_THREADS_17H ((uint64_t)0xff << 56) /* and threads */
#define L3_ALL_19H     ((uint64_t)3 << 46)    /* slices and cores */
#define L3_THREADS_19H ((uint64_t)3 << 56)    /* of each core */

#define NARROWEST (((uint64_t)1 << 40) - 1) /* what every counter has */

struct counter_set {
	uint16_t code[EVENTS];            /* event in bits 7:0, unit mask in 15:8; 0: none here */
	uint64_t flags;                   /* what else the selector of an event has */
	uint32_t select, counter, stride; /* MSRs */
	unsigned count, taken;
};

static struct counter_set core, l3; /* l3: of all cores that share it; the others sleep */
static uint32_t global;             /* MSR that enables each; 0 where there is none */
static bool found;

/* SDM volume 3, "Architectural Performance Monitoring"; the DTLB event (walks for
 * loads) is the one of Nehalem to Comet Lake, and passes its test only there. */
static void find_intel(void)
{
	struct cpuid_regs r = machine_cpuid(0xa, 0);
	core.select = MSR_INTEL_SELECT;
	core.counter = MSR_INTEL_COUNTER;
	core.stride = 1;
	if (r.eax & 0xff) {
		static const uint16_t events[EVENTS] = { 0x003c, 0x00c0, 0x4f2e, 0x412e, 0x0108 };
		static const uint8_t bit[EVENTS] = { 0, 1, 3, 4, 31 };
		for (unsigned i = 0; i < EVENTS; i++)
			core.code[i] = r.ebx & 1u << bit[i] ? 0 : events[i];
		core.count = r.eax >> 8 & 0xff;
		global = (r.eax & 0xff) >= 2 ? MSR_INTEL_GLOBAL : 0;
	} else if (cpu_family() == 6) {
		/* P6: unhalted cycles, instructions, L2 requests, L2 lines in */
		static const uint16_t events[EVENTS] = { 0x0079, 0x00c0, 0x0f2e, 0x0024, 0 };
		for (unsigned i = 0; i < EVENTS; i++)
			core.code[i] = events[i];
		core.count = 2;
	}
}

/* PPRs of families 17h, 19h and 1Ah, "L3 Cache PMC Events": accesses, and those that miss. */
static void find_amd_l3(void)
{
	bool first = cpu_family() <= 0x18;
	if (cpu_family() < 0x17 || !(machine_cpuid(0x80000001, 0).ecx & 1u << 28))
		return;
	l3 = (struct counter_set){
		.select = MSR_AMD_L3_SELECT,
		.counter = MSR_AMD_L3_SELECT + 1,
		.stride = 2,
		.count = 6,
		.flags = SELECT_ENABLE |
			 (first ? L3_SLICES_17H | L3_THREADS_17H : L3_ALL_19H | L3_THREADS_19H),
	};
	l3.code[EVENT_LLC_REFERENCES] = 0xff04;
	l3.code[EVENT_LLC_MISSES] = first ? 0xff06 : 0x0104;
}

/* AMD's manuals for each family. Before Zen the last level is L2; since, where L3 itself
 * cannot be asked, references are demand loads that missed L2, and misses are demand loads
 * filled from memory. */
static void find_amd(void)
{
	static const uint16_t old[EVENTS] = { 0x0076, 0x00c0, 0x077d, 0x077e, 0x0746 };
	static const uint16_t zen[EVENTS] = { 0x0076, 0x00c0, 0x0864, 0x4843, 0xf045 };
	for (unsigned i = 0; i < EVENTS; i++)
		core.code[i] = cpu_family() >= 0x17 ? zen[i] : old[i];
	if (machine_cpuid(0x80000001, 0).ecx & 1u << 23) {
		core.select = MSR_AMD_SELECT;
		core.counter = MSR_AMD_SELECT + 1;
		core.stride = 2;
		core.count = 6;
	} else {
		core.select = MSR_AMD_OLD_SELECT;
		core.counter = MSR_AMD_OLD_COUNTER;
		core.stride = 1;
		core.count = 4;
	}
	if (machine_cpuid(0x80000022, 0).eax & 1)
		global = MSR_AMD_GLOBAL;
	find_amd_l3();
}

static void find_counters(void)
{
	found = true;
	core.flags = SELECT_USER | SELECT_KERNEL | SELECT_ENABLE;
	if (vendor_is("GenuineIntel"))
		find_intel();
	else if (vendor_is("AuthenticAMD"))
		find_amd();
}

/* ------------------------------------------------------------ a counter */

static bool start(const struct counter_set *set, unsigned index, uint16_t code)
{
	uint64_t value;
	if (set == &core && global && msr_read(global, &value))
		msr_write(global, value | 1u << index);
	/* on P6 the enable bit of the first selector is for both */
	if (index > 0 && set->count == 2 && msr_read(set->select, &value) &&
	    !(value & SELECT_ENABLE))
		msr_write(set->select, SELECT_ENABLE);
	return msr_write(set->counter + index * set->stride, 0) &&
	       msr_write(set->select + index * set->stride, code | set->flags);
}

static uint64_t read(uint32_t counter)
{
	uint64_t value = 0;
	msr_read(counter, &value);
	return value & NARROWEST;
}

#define TEST_CALLS 16u
#define TEST_LINES 64u

/* Work of which the number of events is known; `least` and `most` bound it. */
static void work(enum event event, uint64_t *least, uint64_t *most)
{
	static uint8_t lines[TEST_LINES * 64] __attribute__((aligned(64)));
	bool clflush = machine_cpuid(1, 0).edx & CPUID1_EDX_CLFSH;
	*least = TEST_LINES / 4; /* a prefetcher may have been there first */
	*most = 64 * TEST_LINES;
	if (event == EVENT_CYCLES || event == EVENT_INSTRUCTIONS) {
		for (unsigned i = 0; i < TEST_CALLS; i++)
			probe_chain(NULL, NULL, 0);
		*least = TEST_CALLS * PROBE_LENGTH / 2; /* cycles on NetBurst */
		*most = 3 * TEST_CALLS * PROBE_LENGTH;
		return;
	}
	for (unsigned i = 0; i < TEST_LINES; i++) {
		uint8_t *line = lines + i * 37 % TEST_LINES * 64;
		if (event == EVENT_DTLB_MISSES)
			invlpg((uintptr_t)line);
		else if (clflush)
			line_flush(line);
		__asm__ volatile("" : : : "memory");
		line_load(line);
	}
}

static bool passes(uint32_t counter, enum event event)
{
	uint64_t least, most, before = read(counter);
	work(event, &least, &most);
	uint64_t count = read(counter) - before;
	return count >= least && count <= most;
}

/* An event's counter, and its count beyond what the counter holds: read more often than
 * it wraps (minutes), nothing is lost. */
static struct {
	enum { UNTRIED, REFUSED, USED } use;
	uint32_t counter; /* MSR */
	uint64_t last, total;
} events[EVENTS];

/* False where the set has not this event, or no counter left for it. */
static bool try_set(struct counter_set *set, enum event event)
{
	if (!set->code[event] || set->taken == set->count)
		return false;
	uint32_t counter = set->counter + set->taken * set->stride;
	bool good = start(set, set->taken, set->code[event]) && passes(counter, event);
	events[event].use = good ? USED : REFUSED;
	events[event].counter = counter;
	events[event].last = read(counter);
	set->taken += good;
	return true;
}

static bool take_counter(enum event event)
{
	bool tried = try_set(&l3, event);
	return events[event].use == USED || try_set(&core, event) || tried;
}

bool machine_event(enum event event, uint64_t *count, const char **why)
{
	*why = "this CPU's counters are not known here";
	if (!found)
		find_counters();
	if (!core.count || !core.code[event])
		return false;
	*why = "no counter is free";
	if (events[event].use == UNTRIED && !take_counter(event))
		return false;
	*why = "the counter did not count a known piece of work";
	if (events[event].use == REFUSED)
		return false;
	uint64_t now = read(events[event].counter);
	events[event].total += (now - events[event].last) & NARROWEST;
	events[event].last = now;
	*count = events[event].total;
	return true;
}
