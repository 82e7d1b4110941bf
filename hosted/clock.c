/* SPDX-License-Identifier: BSD-2-Clause */
/* The TSC's frequency as CPUID says it, and as the kernel's clock shows it. */
#include "hosted/hosted.h"
#include "lib/frequency.h"
#include "lib/tscstep.h"
#include "suite/machine.h"

#include <time.h>
#include <x86intrin.h>

#define NANOSECONDS 1000000000ull

static struct machine_clock the_clock;

uint64_t machine_ticks(void)
{
	return __rdtsc();
}

const struct machine_clock *machine_clock(void)
{
	return &the_clock;
}

struct instant {
	uint64_t tsc, ns;
};

/* Both clocks at one time: the reading that was least disturbed of several. */
static struct instant now(void)
{
	struct instant best = { 0, 0 };
	uint64_t shortest = UINT64_MAX;
	for (int i = 0; i < 50; i++) {
		struct timespec t;
		uint64_t before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC_RAW, &t);
		uint64_t after = __rdtsc();
		if (after - before < shortest) {
			shortest = after - before;
			best.tsc = before + shortest / 2;
			best.ns = (uint64_t)t.tv_sec * NANOSECONDS + (uint64_t)t.tv_nsec;
		}
	}
	return best;
}

static uint64_t hz_by_kernel_clock(void)
{
	struct instant start = now();
	struct timespec pause = { .tv_nsec = 100000000 };
	nanosleep(&pause, NULL);
	struct instant end = now();
	return multiply_divide(end.tsc - start.tsc, NANOSECONDS, end.ns - start.ns);
}

static uint64_t hz_by_cpuid(const char **source)
{
	struct cpuid_regs r = machine_cpuid(0x15, 0);
	struct frequency_leaves leaves = {
		.signature = machine_cpuid(1, 0).eax,
		.denominator = r.eax,
		.numerator = r.ebx,
		.crystal = r.ecx,
		.base_mhz = machine_cpuid(0x16, 0).eax,
		.tsc_khz = machine_cpuid(0x40000010, 0).eax,
	};
	return frequency_claimed(&leaves, source);
}

void clock_start(void)
{
	the_clock.tsc_step = tscstep_measure(BRACKET_LFENCE);
	uint64_t measured = hz_by_kernel_clock();
	the_clock.cross = "monotonic";
	the_clock.tsc_hz = hz_by_cpuid(&the_clock.source);
	if (!the_clock.tsc_hz) {
		the_clock.tsc_hz = measured;
		the_clock.source = "monotonic";
		the_clock.cross = "none";
		return;
	}
	the_clock.ppm = frequency_apart(the_clock.tsc_hz, measured);
	if (the_clock.ppm > 10000)
		the_clock.tsc_hz = 0;
}
