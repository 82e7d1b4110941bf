/* SPDX-License-Identifier: BSD-2-Clause */
/* Proving states: by what a few loads cost (docs/METHOD.md). */
#include "lib/random.h"
#include "lib/string.h"
#include "suite/core.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/ring.h"
#include "suite/state.h"
#include "suite/stats.h"

/* ------------------------------------------------------------ what a level costs */

#define LATENCIES      4u
#define LATENCY_ROUNDS 8u /* in all: where others use the core, levels seem to be alike */

/* Thousandths of ticks for RING_CHASE lines; 0: not known. */
static uint64_t latencies[LEVELS];

/* Of a ring that lies in that level, and not for the most part in a nearer one, nor, where
 * that can be, in more pages than the first-level TLB has entries; 0: there is none. */
static size_t ring_bytes(enum cache_level level)
{
	size_t l1 = state_level_bytes(LEVEL_L1), l2 = state_level_bytes(LEVEL_L2);
	switch (level) {
	case LEVEL_L1:
	case LEVEL_MEMORY:
		return l1 / 2;
	case LEVEL_L2:
		return l2 / 4 > l1 ? l2 / 4 : l2 / 2;
	default:
		return state_level_bytes(LEVEL_L3) < 2 * l2 ? 0 : l2 + l2 / 2;
	}
}

/* The least of several: who else uses the core, or a cache, can only make it longer. */
static uint64_t measure_latency(enum cache_level level)
{
	size_t bytes = ring_bytes(level);
	uint64_t best = UINT64_MAX;
	for (unsigned i = 0; i < LATENCIES && bytes; i++) {
		uint64_t latency = ring_latency(bytes, level == LEVEL_MEMORY);
		best = latency < best ? latency : best;
	}
	return bytes ? best : 0;
}

static void measure_latencies(void)
{
	const char *why;
	size_t bytes = 2 * state_level_bytes(LEVEL_L2);
	if (!ring_map(bytes ? bytes : state_level_bytes(LEVEL_L1), &why))
		return;
	for (unsigned level = 0; level < LEVELS; level++) {
		uint64_t latency = measure_latency((enum cache_level)level);
		if (!latencies[level] || latency < latencies[level])
			latencies[level] = latency;
	}
	ring_unmap();
}

uint64_t state_latency(enum cache_level level)
{
	return latencies[level] / RING_CHASE;
}

/* ------------------------------------------------------------ proving a state */

#define TRIES         32u
#define PROOFS        3u /* where another core may do better */
#define PROOFS_MAX    64u
#define REACHED_SHARE 90u /* percent of the samples */
#define HOLD_BYTES    65536u
#define HOLD_TRIES    4u
#define HOLD_SHARE    75u

struct proof {
	enum cache_level level;
	size_t n;
	bool reached;
};

static struct proof proofs[PROOFS_MAX];
static unsigned proof_count;

/* The level whose latency this is nearest to, by ratio; levels without one are out. */
static enum cache_level classify(uint64_t ticks)
{
	enum cache_level best = LEVEL_L1;
	for (unsigned level = LEVEL_L2; level < LEVELS; level++)
		if (latencies[level] && ticks * ticks > latencies[best] * latencies[level])
			best = (enum cache_level)level;
	return best;
}

/* Links RING_CHASE lines of the buffer, chosen by chance so that no prefetcher follows;
 * the first's address. Small buffers give some lines twice: those are left out. */
static void *link_sample(uint8_t *buffer, size_t n, struct random *r)
{
	size_t line = ring_line();
	uint32_t lines = (uint32_t)(n / line);
	void **first = (void **)(buffer + random_below(r, lines) * line), **last = first;
	*first = first;
	for (unsigned i = 1; i < RING_CHASE; i++) {
		void **next = (void **)(buffer + random_below(r, lines) * line);
		bool taken = next == last;
		for (void **p = first; p != last; p = *p)
			taken |= p == next;
		if (taken)
			continue;
		*last = next;
		*next = first;
		last = next;
	}
	return first;
}

static void sample_state(struct area *area, enum cache_level level, size_t n, unsigned tries,
			 uint32_t seen[LEVELS])
{
	struct random r = random_seeded(suite_options()->seed + n);
	struct state s = { .from = { area->base, area->alias, n, level, false } };
	for (unsigned i = 0; i < tries; i++) {
		void *first = link_sample(area->base, n, &r), *here = &here;
		state_set(&s);
		/* the code must not come from where the walk has put it */
		ring_chase(&here);
		seen[classify(ring_chase(first) * 1000)]++;
	}
}

/* Whether a nearer level has kept some. */
static bool kept_nearer(const uint32_t seen[LEVELS], enum cache_level level)
{
	for (unsigned i = 0; i < level; i++)
		if (seen[i])
			return true;
	return false;
}

/* With the shortest walk that reaches the state; where none does, the shortest of all. */
static bool try_walks(struct area *area, enum cache_level level, size_t n, uint32_t seen[LEVELS])
{
	for (unsigned times = STATE_WALK_LEAST; times <= STATE_WALK_MOST; times *= 2) {
		memset(seen, 0, LEVELS * sizeof(seen[0]));
		if (level == LEVEL_L2 || level == LEVEL_L3)
			state_walk_times(level - 1, times);
		sample_state(area, level, n, TRIES, seen);
		if (seen[level] * 100 >= TRIES * REACHED_SHARE)
			return true;
		if (!kept_nearer(seen, level))
			break;
	}
	if (level == LEVEL_L2 || level == LEVEL_L3)
		state_walk_times(level - 1, STATE_WALK_LEAST);
	return false;
}

static bool prove(enum cache_level level, size_t n)
{
	uint32_t seen[LEVELS] = { 0 };
	struct area area;
	const char *why;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, n, &area, &why))
		return false;
	bool reached = try_walks(&area, level, n, seen);
	for (unsigned i = 1; i < PROOFS && !reached && machine_move(); i++)
		reached = try_walks(&area, level, n, seen);
	machine_area_unmap(&area);
	record_text("state %s of %zu bytes: of %u samples %u in l1, %u in l2, %u in l3, %u in "
		    "memory: %s",
		    level_name(level), n, TRIES, seen[LEVEL_L1], seen[LEVEL_L2], seen[LEVEL_L3],
		    seen[LEVEL_MEMORY], reached ? "reached" : "not reached");
	return reached;
}

bool state_holds(const struct state *s)
{
	static struct area area;
	uint32_t seen[LEVELS] = { 0 };
	const char *why;
	const struct side *side = s->from.level == LEVEL_L3 ? &s->from : &s->to;
	if (side->level != LEVEL_L3 || !core_known())
		return true;
	if (!area.base &&
	    !machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, HOLD_BYTES, &area, &why))
		return true;
	sample_state(&area, LEVEL_L3, side->n < HOLD_BYTES ? side->n : HOLD_BYTES, HOLD_TRIES,
		     seen);
	return seen[LEVEL_L3] * 100 >= HOLD_TRIES * HOLD_SHARE;
}

#define TLB_PAGES RING_CHASE

/* A line of each page, in an order that no prefetcher of translations follows. */
static void *link_pages(uint8_t *base)
{
	void *first = base;
	uint8_t *line = base;
	for (unsigned i = 0, page = 0; i < TLB_PAGES; i++) {
		page = (5 * page + 3) % TLB_PAGES; /* comes to every page once */
		uint8_t *next = base + page * MACHINE_PAGE + (page * 7 + 1) % 64 * 64;
		*(void **)line = next;
		line = next;
	}
	*(void **)line = *(void **)first;
	return *(void **)first;
}

/* Loads from L2, one from each of TLB_PAGES pages: the median, in ticks. */
static uint64_t pages_ticks(const struct area *area, const void *first, enum tlb_state tlb)
{
	uint64_t took[TRIES];
	struct state s = { .from = { area->base, area->alias, area->size, LEVEL_L2, false },
			   .tlb = tlb };
	for (unsigned i = 0; i < TRIES; i++) {
		void *here = &here;
		state_set(&s);
		ring_chase(&here);
		took[i] = ring_chase(first);
	}
	stats_sort(took, TRIES);
	return stats_median(took, TRIES);
}

/* A state must cost a twentieth more than the one before it; the cold ones are what
 * INVLPG makes, and only told. */
static bool prove_tlb(enum tlb_state tlb)
{
	struct area area;
	const char *why;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, TLB_PAGES * MACHINE_PAGE, &area,
			      &why))
		return false;
	const void *first = link_pages(area.base);
	uint64_t before = pages_ticks(&area, first, tlb == TLB_STLB ? TLB_HOT : tlb - 1);
	uint64_t after = pages_ticks(&area, first, tlb);
	machine_area_unmap(&area);
	bool reached = tlb >= TLB_COLD || after * 20 >= before * 21;
	record_text("TLB state %s: %u loads, each from another page in L2: %llu ticks, %s %llu: %s",
		    tlb_name(tlb), TLB_PAGES, (unsigned long long)after,
		    tlb_name(tlb == TLB_STLB ? TLB_HOT : tlb - 1), (unsigned long long)before,
		    reached ? "reached" : "not reached");
	return reached;
}

/* ------------------------------------------------------------ what is reached */

/* Two buffers, and what a copy needs beside them. */
static bool fits(enum cache_level level, size_t n)
{
	return level == LEVEL_MEMORY ||
	       2 * n <= state_level_bytes(level) / (level == LEVEL_L1 ? 1 : 2);
}

static bool latency_tells(enum cache_level level)
{
	for (unsigned i = 0; i < LEVELS; i++) {
		uint64_t low = latencies[i], high = latencies[level];
		if (i > level) {
			low = high;
			high = latencies[i];
		}
		if (i != level && latencies[i] && low * 5 >= high * 4)
			return false;
	}
	return latencies[level] != 0;
}

static bool is_told_apart(enum cache_level level)
{
	static unsigned rounds;
	while (!latency_tells(level) && rounds < LATENCY_ROUNDS) {
		if (rounds++)
			machine_move();
		measure_latencies();
	}
	return latency_tells(level);
}

bool state_reached(enum cache_level level, size_t n, const char **why)
{
	if (!state_start(why))
		return false;
	*why = "no such cache";
	if (!state_level_bytes(level))
		return false;
	*why = "larger than the cache";
	if (!fits(level, n))
		return false;
	if (identity_timing() == TIMING_EMULATED)
		return true;
	*why = "its latency is not told apart from another level's";
	if (!is_told_apart(level))
		return false;
	*why = "not reached when tried";
	for (unsigned i = 0; i < proof_count; i++)
		if (proofs[i].level == level && proofs[i].n == n)
			return proofs[i].reached;
	bool reached = prove(level, n);
	if (proof_count < PROOFS_MAX)
		proofs[proof_count++] = (struct proof){ level, n, reached };
	return reached;
}

bool state_tlb_reached(enum tlb_state tlb, const char **why)
{
	static enum { UNTRIED, NOT_REACHED, REACHED } proved[TLB_STATES];
	if (!state_start(why))
		return false;
	if (tlb == TLB_HOT)
		return true;
	if (!state_can_displace(tlb, why))
		return false;
	if (identity_timing() == TIMING_EMULATED)
		return true;
	if (!state_reached(LEVEL_L2, TLB_PAGES * MACHINE_PAGE, why))
		return false;
	if (proved[tlb] == UNTRIED)
		proved[tlb] = prove_tlb(tlb) ? REACHED : NOT_REACHED;
	*why = "not reached when tried";
	return proved[tlb] == REACHED;
}
