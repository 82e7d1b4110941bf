/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/ring.h"

#include "lib/line.h"
#include "lib/probe.h"
#include "lib/random.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/options.h"
#include "suite/stats.h"

#define TRIES 64u

static struct area ring;
static uint64_t empty_bracket = UINT64_MAX;

size_t ring_line(void)
{
	uint32_t line = identity_cpu()->l1d.line;
	return line >= LINE_BYTES ? line : LINE_BYTES;
}

uint64_t ring_chase(const void *first)
{
	for (unsigned i = 0; i < 4; i++) {
		uint64_t ticks = machine_time(0, NULL, NULL, 0, 0);
		if (ticks < empty_bracket)
			empty_bracket = ticks;
	}
	uint64_t ticks = machine_time((uintptr_t)probe_chase, NULL, first, RING_CHASE, 1);
	return ticks > empty_bracket ? ticks - empty_bracket : 0;
}

bool ring_map(size_t bytes, const char **why)
{
	return machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, bytes, &ring, why);
}

void ring_unmap(void)
{
	machine_area_unmap(&ring);
}

/* Sattolo's shuffle makes one ring of all lines; it is done on the pointers in them. */
static void link_ring(size_t bytes)
{
	struct random r = random_seeded(suite_options()->seed + bytes);
	size_t line = ring_line(), count = bytes / line;
	for (size_t i = 0; i < count; i++)
		*(void **)(ring.base + i * line) = ring.base + i * line;
	for (size_t i = count - 1; i > 0; i--) {
		void **a = (void **)(ring.base + i * line);
		void **b = (void **)(ring.base + random_below(&r, (uint32_t)i) * line);
		void *swap = *a;
		*a = *b;
		*b = swap;
	}
}

/* Half of the samples, those in the middle: a mean is finer than the counter's step,
 * and what was interrupted is out. */
static uint64_t middle_mean(uint64_t *took)
{
	uint64_t sum = 0;
	stats_sort(took, TRIES);
	for (unsigned i = TRIES / 4; i < TRIES - TRIES / 4; i++)
		sum += took[i];
	return sum * 1000 / (TRIES - 2 * (TRIES / 4));
}

uint64_t ring_latency(size_t bytes, bool flushed)
{
	uint64_t took[TRIES];
	link_ring(bytes);
	probe_chase(NULL, ring.base, 2 * bytes / ring_line());
	const void *p = ring.base;
	for (unsigned i = 0; i < TRIES; i++) {
		if (flushed)
			for (size_t at = 0; at < bytes; at += ring_line())
				line_flush(ring.base + at);
		took[i] = ring_chase(p);
		p = (const void *)probe_chase(NULL, p, RING_CHASE);
	}
	return middle_mean(took);
}
