/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/cached.h"

#include "lib/line.h"
#include "suite/contract/generate.h"
#include "suite/identity.h"
#include "suite/stats.h"

#define TRIES 15u
#define LINE  64u
/* Memory must cost so many times what a cache does. */
#define APART 2u

static uint64_t threshold; /* ticks of a load: below it comes from a cache */

static uint64_t clock_now(void)
{
	uint32_t low, high;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t load_ticks(const uint8_t *line)
{
	__asm__ volatile("mfence" : : : "memory");
	uint64_t start = clock_now();
	line_load(line);
	return clock_now() - start;
}

/* Another line of the same page, so that the load under test finds its translation. */
static void load_neighbour(const uint8_t *line)
{
	line_load((const uint8_t *)((uintptr_t)line ^ MACHINE_PAGE / 2));
}

static uint64_t usual_ticks(const uint8_t *line, bool flushed)
{
	uint64_t ticks[TRIES];
	for (size_t i = 0; i < TRIES; i++) {
		line_load(line);
		if (flushed)
			line_flush(line);
		load_neighbour(line);
		ticks[i] = load_ticks(line);
	}
	stats_sort(ticks, TRIES);
	return stats_median(ticks, TRIES);
}

bool cached_can_be_shown(struct arena *arena, const char **why)
{
	*why = "declared, not shown: an emulator has no caches";
	if (identity_timing() == TIMING_EMULATED)
		return false;
	*why = "declared, not shown: no clflush to learn from what memory costs";
	if (!(machine_cpuid(1, 0).edx & CPUID1_EDX_CLFSH))
		return false;
	const uint8_t *line = arena->area[TO_KERNEL].alias + CASE_POISON;
	uint64_t near = usual_ticks(line, false), far = usual_ticks(line, true);
	threshold = (near + far) / 2;
	*why = "declared, not shown: memory is not slower than the caches here";
	return far > APART * near;
}

/* How often out of TRIES the line at `offset` of the destination is in a cache after the
 * copy. It is before, so that it must be put out. */
static unsigned times_cached(struct arena *arena, const struct form *form,
			     const struct contract_case *c, size_t offset)
{
	bool user = form_destination_is_user(form);
	const uint8_t *to = arena->area[user ? TO_USER : TO_KERNEL].alias + case_offset(c, TO);
	unsigned times = 0;
	for (unsigned i = 0; i < TRIES; i++) {
		struct trial t;
		line_load(to + offset);
		arena_call(arena, form, c, &t.outcome);
		load_neighbour(to + offset);
		times += load_ticks(to + offset) < threshold;
	}
	return times;
}

/* Byte 0, the first byte of each line after it, and with them the last line. */
static bool find_line(struct arena *arena, const struct form *form, const struct contract_case *c,
		      size_t *offset)
{
	for (*offset = 0; *offset < c->n;
	     *offset += LINE - (case_alignment(c, TO) + *offset) % LINE)
		if (times_cached(arena, form, c, *offset) > TRIES * 2 / 3)
			return true;
	return false;
}

bool cached_find(struct arena *arena, const struct form *form, struct contract_case *c,
		 size_t *offset)
{
	static const uint16_t sizes[] = { 1, 8, 61, 64, 200, 1023 };
	static const uint8_t alignments[] = { 0, 1, 8, 60 };
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t j = 0; j < sizeof(alignments); j++) {
			*c = (struct contract_case){ .n = sizes[i] };
			c->side[TO].at = alignments[j];
			if (case_admissible(form, c) && find_line(arena, form, c, offset))
				return true;
		}
	}
	return false;
}
