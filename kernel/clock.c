/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How fast the time-stamp counter runs: from what the CPU says of itself, and from
 * counters of a known rate; two of them always, because each is known to lie somewhere.
 * Every loop here ends, whatever the hardware does.
 */
#include "kernel/acpi.h"
#include "kernel/cpu.h"
#include "kernel/hpet.h"
#include "kernel/kernel.h"
#include "kernel/pit.h"
#include "lib/frequency.h"
#include "lib/tscstep.h"

/* A counter of known rate. */
struct counter {
	uint64_t hz;   /* 0: not here */
	uint32_t mask; /* of the bits that count */
	uint32_t (*read)(void);
};

#define MEASURE_FRACTION 100u /* of a second, each time */
#define MEASURE_TIMES    8u   /* at most, until two agree */
#define AGREE_PPM        2000u
#define STILL_READS      20000u     /* a counter that shows one value so often is dead */
#define TICKS_MAX        (1u << 30) /* 0.1 s at 10 GHz: a counter that takes longer is none */
#define PPM_MAX          10000u

/* ------------------------------------------------------------ counters */

#define PM_TIMER_HZ 3579545u

static uint16_t pm_timer_port;

/* The first PIIX4s can be caught in mid-count (Linux: PMTMR "read 3 times"), so two
 * readings have to agree. */
static uint32_t pm_timer_read(void)
{
	uint32_t first, second = inl(pm_timer_port);
	for (int tries = 0; tries < 10; tries++) {
		first = second;
		second = inl(pm_timer_port);
		if (((second - first) & 0xffffff) < 16)
			break;
	}
	return second;
}

static struct counter pm_timer(void)
{
	struct acpi_fadt fadt;
	if (!acpi_fadt(&fadt) || fadt.flags & FADT_HARDWARE_REDUCED)
		return (struct counter){ 0 };
	bool wide = fadt.timer.space == ACPI_PORT && acpi_address(&fadt.timer);
	uint64_t port = wide ? acpi_address(&fadt.timer) : fadt.pm_timer;
	if (port == 0 || port > 0xfffc)
		return (struct counter){ 0 };
	pm_timer_port = (uint16_t)port;
	return (struct counter){ PM_TIMER_HZ, 0xffffff, pm_timer_read };
}

static struct counter hpet(void)
{
	return (struct counter){ hpet_hz(), 0xffffffff, hpet_count };
}

static struct counter pit(void)
{
	pit_count_start();
	return (struct counter){ PIT_HZ, 0xffff, pit_count };
}

/* ------------------------------------------------------------ measuring */

struct reading {
	uint64_t tsc;
	uint32_t count;
};

/* The tightest of a few brackets: an interruption inside one would count as an error. */
static struct reading reading(const struct counter *c)
{
	struct reading best = { 0 };
	uint64_t tightest = UINT64_MAX;
	for (int tries = 0; tries < 8; tries++) {
		uint64_t before = rdtsc();
		uint32_t count = c->read();
		uint64_t width = rdtsc() - before;
		if (width >= tightest)
			continue;
		tightest = width;
		best = (struct reading){ before + width / 2, count };
	}
	return best;
}

/* Waits until the counter has advanced by `target`; false: it is dead, or all too slow. */
static bool wait(const struct counter *c, struct reading from, uint32_t target)
{
	uint32_t still = 0, last = from.count;
	do {
		uint32_t count = c->read();
		if (((count - from.count) & c->mask) >= target)
			return true;
		still = count == last ? still + 1 : 0;
		last = count;
	} while (still < STILL_READS && rdtsc() - from.tsc < TICKS_MAX);
	return false;
}

static uint64_t measure_once(const struct counter *c)
{
	struct reading from = reading(c);
	if (!wait(c, from, (uint32_t)(c->hz / MEASURE_FRACTION)))
		return 0;
	struct reading to = reading(c);
	uint32_t counts = (to.count - from.count) & c->mask;
	return counts ? multiply_divide(to.tsc - from.tsc, c->hz, counts) : 0;
}

/* What two measurements agree on. One is wrong where the counter goes round unseen: the
 * PIT's does in 55 ms, for which an emulator may not be running at all. */
static uint64_t measure(struct counter c)
{
	uint64_t hz[MEASURE_TIMES];

	for (unsigned n = 0; c.hz && n < MEASURE_TIMES; n++) {
		hz[n] = measure_once(&c);
		if (!hz[n])
			return 0;
		for (unsigned i = 0; i < n; i++)
			if (frequency_apart(hz[i], hz[n]) <= AGREE_PPM)
				return hz[n];
	}
	return 0;
}

/* ------------------------------------------------------------ sources */

static uint64_t claimed(const char **source)
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

static uint64_t measure_hpet(void)
{
	return measure(hpet());
}

static uint64_t measure_pm_timer(void)
{
	return measure(pm_timer());
}

static uint64_t measure_pit(void)
{
	return measure(pit());
}

static const struct source {
	const char *name;
	uint64_t (*hz)(void);
} sources[] = {
	{ "hpet", measure_hpet },
	{ "pmtimer", measure_pm_timer },
	{ "pit", measure_pit },
};
#define SOURCES (sizeof sources / sizeof *sources)

static struct machine_clock result = { .source = "none", .cross = "none" };

/* The next source that answers from *i on; 0 where none does. */
static uint64_t measured(size_t *i, const char **source)
{
	uint64_t hz = 0;
	for (; *i < SOURCES && !hz; (*i)++) {
		*source = sources[*i].name;
		hz = sources[*i].hz();
	}
	return hz;
}

/* The first source that answers, against the first measurement after it. */
static void sources_ask(void)
{
	size_t i = 0;
	const char *source, *cross;
	result.tsc_hz = claimed(&source);
	if (!result.tsc_hz)
		result.tsc_hz = measured(&i, &source);
	if (!result.tsc_hz)
		return;
	result.source = source;
	uint64_t hz = measured(&i, &cross);
	if (!hz)
		return;
	result.cross = cross;
	result.ppm = frequency_apart(result.tsc_hz, hz);
	if (result.ppm > PPM_MAX)
		result.tsc_hz = 0;
}

#define CPUID1_EDX_SSE2 (1u << 26)

void clock_start(void)
{
	bool sse2 = machine_cpuid(1, 0).edx & CPUID1_EDX_SSE2;
	result.tsc_step = tscstep_measure(sse2 ? BRACKET_LFENCE : BRACKET_CPUID);
	sources_ask();
}

const struct machine_clock *machine_clock(void)
{
	return &result;
}

#define FASTEST_TSC 10000000000u /* where its frequency is not known: waits too long then */

uint64_t clock_deadline(uint64_t us)
{
	return rdtsc() + (result.tsc_hz ? result.tsc_hz : FASTEST_TSC) / 1000000 * us;
}

uint64_t machine_ticks(void)
{
	return rdtsc();
}
