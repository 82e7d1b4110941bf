/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/measure.h"

#include "lib/frequency.h"
#include "suite/machine.h"
#include "suite/stats.h"

#define BATCH_MAX      (1u << 20)
#define CELL_MS        20u
#define SLOW_SAMPLE_MS 3u
#define SPREAD_WANTED  500u        /* 0.5 % */
#define CLOCKLESS_HZ   1000000000u /* only to bound time where the frequency is not known */

static uint64_t samples[MEASURE_SAMPLES_MAX];
static uint64_t samples_taken, samples_disturbed;

struct call {
	uintptr_t entry;
	void *to;
	const void *from;
	size_t n;
};

static uint64_t ticks_in(uint32_t ms)
{
	uint64_t hz = machine_clock()->tsc_hz;
	return (hz ? hz : CLOCKLESS_HZ) / 1000 * ms;
}

/* Ticks that `batch` copies take, free of the bracket; 0 where disturbed. */
static uint64_t difference(const struct call *c, uint32_t batch)
{
	uint64_t one = machine_time(c->entry, c->to, c->from, c->n, batch);
	uint64_t two = machine_time(c->entry, c->to, c->from, c->n, 2 * (size_t)batch);
	return two > one ? two - one : 0;
}

/* The smallest power of two whose batches always differ by enough; 0 if there is none. */
static uint32_t find_batch(const struct call *c)
{
	uint64_t wanted = (uint64_t)MEASURE_STEPS * machine_clock()->tsc_step;
	for (uint32_t batch = 1; batch <= BATCH_MAX; batch *= 2) {
		unsigned tries = 0;
		while (tries < 3 && difference(c, batch) >= wanted)
			tries++;
		if (tries == 3)
			return batch;
	}
	return 0;
}

/* Adds samples up to `wanted` or until the time is up; how many there are then. */
static uint32_t take_samples(const struct call *c, uint32_t batch, uint32_t have, uint32_t wanted,
			     uint64_t deadline)
{
	uint64_t smallest = (uint64_t)MEASURE_STEPS * machine_clock()->tsc_step;
	while (have < wanted) {
		uint64_t ticks = difference(c, batch);
		samples_taken++;
		if (ticks < smallest)
			samples_disturbed++;
		else
			samples[have++] = ticks * 1000 / batch;
		if (machine_ticks() >= deadline &&
		    (have >= MEASURE_SAMPLES_FEW || ticks < smallest))
			break;
	}
	return have;
}

static void summarise(struct measured *m, uint32_t count)
{
	size_t rank = stats_interval_rank(count);
	uint64_t hz = machine_clock()->tsc_hz;
	stats_sort(samples, count);
	m->samples = count;
	m->ticks = stats_median(samples, count);
	m->low = samples[rank];
	m->high = samples[count - 1 - rank];
	m->spread = stats_spread(m->low, m->high, m->ticks);
	m->ns = hz ? multiply_divide(m->ticks, 1000000000, hz) : 0;
}

bool measure_hot(uintptr_t entry, void *to, const void *from, size_t n, struct measured *m,
		 const char **why)
{
	struct call c = { entry, to, from, n };
	machine_time(entry, to, from, n, 1);
	m->batch = find_batch(&c);
	if (!m->batch) {
		*why = "too short for the step of the time-stamp counter";
		return false;
	}
	uint64_t start = machine_ticks(), one = 3 * difference(&c, m->batch);
	uint32_t least = one > ticks_in(SLOW_SAMPLE_MS) ? MEASURE_SAMPLES_FEW : MEASURE_SAMPLES_MIN;
	uint32_t count = 0, wanted = least;
	do {
		/* the least number is taken however long it lasts, within reason */
		uint64_t limit = ticks_in(count < least ? 10 * CELL_MS : CELL_MS);
		count = take_samples(&c, m->batch, count, wanted, start + limit);
		if (count < MEASURE_SAMPLES_FEW) {
			*why = "every sample was disturbed";
			return false;
		}
		summarise(m, count);
		wanted = 2 * count < MEASURE_SAMPLES_MAX ? 2 * count : MEASURE_SAMPLES_MAX;
	} while (m->spread > SPREAD_WANTED && count < MEASURE_SAMPLES_MAX &&
		 machine_ticks() - start < ticks_in(CELL_MS));
	return true;
}

void measure_disturbed(uint64_t *thrown_away, uint64_t *taken)
{
	*thrown_away = samples_disturbed;
	*taken = samples_taken;
}

uint64_t measure_kilobytes(size_t n, uint64_t ticks)
{
	/* bytes/s are 1000 n hz / ticks, and so are thousandths of KB/s */
	return ticks ? multiply_divide((uint64_t)n * 1000, machine_clock()->tsc_hz, ticks) : 0;
}
