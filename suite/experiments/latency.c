/* SPDX-License-Identifier: BSD-2-Clause */
/* The latency staircase: what a load costs by the size of what is walked in random
 * order. Its steps are the caches as they are, beside what CPUID says they are. */
#include "lib/format.h"
#include "lib/line.h"
#include "suite/core.h"
#include "suite/experiment.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/ring.h"

#define NAME     "latency"
#define SMALLEST 4096u
#define LARGEST  (64u << 20)
#define EMULATED (256u << 10)
#define TRIES    3u

/* The next size: 4, 6, 8, 12, 16, 24 ... KiB. */
static size_t next_size(size_t bytes)
{
	return bytes & (bytes - 1) ? bytes / 3 * 4 : bytes / 2 * 3;
}

static const char *level_of(size_t bytes)
{
	const struct cpu *cpu = identity_cpu();
	if (bytes <= cpu->l1d.bytes)
		return "l1d";
	if (bytes <= cpu->l2.bytes)
		return "l2";
	return bytes <= cpu->l3.bytes ? "l3" : "memory";
}

static void show(size_t bytes)
{
	struct core_state state;
	uint64_t ticks = ring_latency(bytes, false) / RING_CHASE;
	struct fixed_text cycles = { "n/a" }, ns = { "n/a" };
	if (core_known()) {
		core_look(&state);
		cycles = fixed(core_cycles(ticks, &state), 1);
	}
	if (machine_clock()->tsc_hz)
		ns = fixed(ticks * 1000000 / (machine_clock()->tsc_hz / 1000), 1);
	record_text("%8zu %10s %10s %10s   %s", bytes / 1024, fixed(ticks, 1).text, cycles.text,
		    ns.text, level_of(bytes));
}

static bool is_memory(uint64_t latency, uint64_t memory)
{
	return 4 * latency > 3 * memory;
}

static const char *verdict(uint64_t half, uint64_t twice, uint64_t memory)
{
	if (is_memory(half, memory))
		return "half of it is not to be had";
	return 2 * twice >= 3 * half ? "a step, as it should be" : "no step: doubtful";
}

/* The size before: 24, 16, 12, 8 ... */
static size_t size_before(size_t bytes)
{
	return bytes & (bytes - 1) ? bytes / 3 * 2 : bytes / 4 * 3;
}

/* The largest ring up to this size that ever lay in the cache. */
static size_t largest_cached(size_t bytes, uint64_t memory)
{
	for (; bytes > SMALLEST; bytes = size_before(bytes))
		for (unsigned i = 0; i < TRIES; i++)
			if (!is_memory(ring_latency(bytes, false) / RING_CHASE, memory))
				return bytes;
	return 0;
}

/* What CPUID says of a cache shows as a step between half and twice its size, where
 * both have been mapped. Emulators and hypervisors say what they like. */
static void check(const char *name, uint64_t bytes, size_t largest)
{
	if (bytes < SMALLEST || 2 * bytes > largest)
		return;
	uint64_t half = ring_latency((size_t)bytes / 2, false) / RING_CHASE;
	uint64_t twice = ring_latency((size_t)bytes * 2, false) / RING_CHASE;
	uint64_t memory = ring_latency(SMALLEST, true) / RING_CHASE;
	record_text("%s: %s of %llu KiB by CPUID: %s ticks a load at half of it, %s at twice: %s",
		    NAME, name, (unsigned long long)bytes / 1024, fixed(half, 1).text,
		    fixed(twice, 1).text, verdict(half, twice, memory));
	if (is_memory(half, memory))
		record_text("%s: of %s, rings of at most %zu KiB stay in it: the rest is taken by "
			    "other CPUs or machines that share it, or it is smaller",
			    NAME, name, largest_cached((size_t)bytes / 2, memory) / 1024);
}

static void check_cpuid(size_t largest)
{
	const struct cpu *cpu = identity_cpu();
	if (identity_timing() == TIMING_EMULATED || !(machine_cpuid(1, 0).edx & CPUID1_EDX_CLFSH))
		return;
	check("l1d", cpu->l1d.bytes, largest);
	check("l2", cpu->l2.bytes, largest);
	check("l3", cpu->l3.bytes, largest);
}

static enum experiment_result run(void)
{
	const char *why;
	size_t largest = identity_timing() == TIMING_EMULATED ? EMULATED : LARGEST;
	while (!ring_map(largest, &why)) {
		largest /= 2;
		if (largest < SMALLEST) {
			record_text("%s: no memory for it: %s", NAME, why);
			return EXPERIMENT_DIED;
		}
	}
	record_text("%s: a line loaded in random order, 4 KiB pages", NAME);
	record_text("%8s %10s %10s %10s   %s", "KiB", "ticks", "cycles", "ns", "CPUID says");
	for (size_t bytes = SMALLEST; bytes <= largest; bytes = next_size(bytes))
		show(bytes);
	check_cpuid(largest);
	ring_unmap();
	return EXPERIMENT_DONE;
}

EXPERIMENT(latency, NAME, "what a load costs by the size of what is walked", 0, run);
