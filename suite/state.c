/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/state.h"

#include "lib/line.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/ring.h"

#define L1_FALLBACK  (32u * 1024) /* where CPUID does not say */
#define TLB_FALLBACK 1536u

/* How many times the size of L1 and of L2 is walked so that it holds nothing else. */
static unsigned walk_times[LEVEL_L3] = { STATE_WALK_LEAST, STATE_WALK_LEAST };
static bool has_clflush;    /* else machine_flush_caches() */
static struct area walked;  /* its lines displace others from the caches */
static struct area touched; /* its pages displace others from the TLBs */

const char *level_name(enum cache_level level)
{
	static const char *const names[] = { "l1", "l2", "l3", "memory" };
	return names[level];
}

const char *tlb_name(enum tlb_state state)
{
	static const char *const names[] = { "hot", "stlb", "walk", "cold", "tables" };
	return names[state];
}

/* ------------------------------------------------------------ making a state */

size_t state_level_bytes(enum cache_level level)
{
	const struct cpu *cpu = identity_cpu();
	switch (level) {
	case LEVEL_L1:
		return cpu->l1d.bytes ? (size_t)cpu->l1d.bytes : L1_FALLBACK;
	case LEVEL_L2:
		return (size_t)cpu->l2.bytes;
	case LEVEL_L3:
		return (size_t)cpu->l3.bytes;
	default:
		return SIZE_MAX;
	}
}

void state_walk_times(enum cache_level emptied, unsigned times)
{
	walk_times[emptied] = times;
}

static void walk(enum cache_level emptied)
{
	size_t bytes = walk_times[emptied] * state_level_bytes(emptied);
	for (size_t i = 0; i < bytes && i < walked.size; i += ring_line())
		line_load(walked.alias + i);
}

static uint8_t *address(const struct side *side, enum tlb_state tlb)
{
	return tlb == TLB_HOT ? side->base : side->alias;
}

static void flush(const struct side *side, enum tlb_state tlb)
{
	const char *why;
	uint8_t *p = address(side, tlb);
	if (!has_clflush) {
		machine_flush_caches(&why);
		return;
	}
	for (size_t i = 0; i < side->n; i += ring_line())
		line_flush(p + i);
	if (side->n)
		line_flush(p + side->n - 1);
}

static void load(const struct side *side, enum tlb_state tlb)
{
	uint8_t *p = address(side, tlb);
	for (size_t i = 0; i < side->n; i += ring_line()) {
		if (side->dirty)
			line_dirty(p + i);
		else
			line_load(p + i);
	}
	if (side->n)
		line_load(p + side->n - 1);
}

static void drain(void)
{
	/* the empty bracket: it waits for loads and stores in the way this CPU can */
	machine_time(0, NULL, NULL, 0, 0);
}

/* One line of each page; where all shall be in memory, only its translation. */
static void touch_pages(const struct side *side)
{
	for (size_t i = 0; i < side->n; i += MACHINE_PAGE) {
		if (side->level == LEVEL_MEMORY && has_clflush)
			line_flush(side->base + i);
		else
			line_load(side->base + i);
	}
}

/* Each page at another line, so that no set of a cache has to hold them all. */
static void displace_translations(uint32_t entries)
{
	for (size_t page = 0; page < 2 * (size_t)entries; page++)
		line_load(touched.base + page * MACHINE_PAGE + page * 64 % MACHINE_PAGE);
}

static uint32_t tlb_entries(enum tlb_state state)
{
	const struct cpu *cpu = identity_cpu();
	if (state == TLB_STLB)
		return cpu->dtlb.entries;
	uint32_t larger =
		cpu->stlb.entries > cpu->dtlb.entries ? cpu->stlb.entries : cpu->dtlb.entries;
	return larger ? larger : TLB_FALLBACK;
}

/* Through `base` first, so that they are all in the second level, then others. */
static void displace(const struct state *s)
{
	touch_pages(&s->from);
	touch_pages(&s->to);
	displace_translations(tlb_entries(s->tlb));
}

static void forget(const struct side *side, bool tables)
{
	const char *why;
	if (side->n)
		machine_tlb_forget(side->base, side->n, tables, &why);
}

/* Farthest first, since making a near state disturbs a far one least. */
void state_set(const struct state *s)
{
	const struct side *sides[] = { &s->from, &s->to };
	machine_user_access(true);
	if (s->tlb == TLB_STLB || s->tlb == TLB_WALK)
		displace(s);
	flush(&s->from, s->tlb);
	flush(&s->to, s->tlb);
	drain();
	for (int level = LEVEL_L3; level >= LEVEL_L1; level--) {
		bool any = false;
		for (unsigned i = 0; i < 2; i++) {
			if ((int)sides[i]->level != level || !sides[i]->n)
				continue;
			load(sides[i], s->tlb);
			any = true;
		}
		if (any && level > LEVEL_L1)
			walk((enum cache_level)(level - 1));
	}
	if (s->tlb == TLB_HOT) {
		touch_pages(&s->from);
		touch_pages(&s->to);
	}
	machine_user_access(false);
	if (s->tlb >= TLB_COLD) {
		forget(&s->from, s->tlb == TLB_TABLES);
		forget(&s->to, s->tlb == TLB_TABLES);
	}
	drain();
}

/* ------------------------------------------------------------ what there is */

bool state_start(const char **why)
{
	static const char *cannot;
	if (!walked.base && !cannot) {
		size_t bytes = STATE_WALK_MOST *
			       state_level_bytes(identity_cpu()->l3.bytes ? LEVEL_L2 : LEVEL_L1);
		has_clflush = machine_cpuid(1, 0).edx & CPUID1_EDX_CLFSH;
		if ((!has_clflush && !machine_flush_caches(why)) ||
		    !machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, bytes, &walked, why))
			cannot = *why;
	}
	*why = cannot;
	return !cannot;
}

bool state_can_displace(enum tlb_state tlb, const char **why)
{
	*why = "CPUID names no second-level TLB";
	if (tlb == TLB_STLB && !identity_cpu()->stlb.entries)
		return false;
	if (tlb >= TLB_COLD)
		return machine_tlb_forget(&walked, 1, tlb == TLB_TABLES, why);
	size_t pages = 2 * (size_t)tlb_entries(TLB_WALK);
	return touched.base || machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE,
						pages * MACHINE_PAGE, &touched, why);
}
