/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where source and destination lie before a copy: in which cache, dirty or not, and
 * with which TLB entries (docs/METHOD.md). A cache state is proved before it is
 * used, by what loading a few of its lines costs; one that the machine does not
 * reach is told, and not measured.
 */
#ifndef SUITE_STATE_H
#define SUITE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cache_level { LEVEL_L1, LEVEL_L2, LEVEL_L3, LEVEL_MEMORY, LEVELS };

enum tlb_state {
	TLB_HOT,
	TLB_STLB,   /* missing from the first level, found in the second */
	TLB_WALK,   /* in none; the paging structures may be in caches of their own */
	TLB_COLD,   /* nor these: the whole walk, through cached tables */
	TLB_TABLES, /* and the table entries themselves come from memory */
	TLB_STATES
};

struct side {
	uint8_t *base;  /* where the routine reaches it */
	uint8_t *alias; /* another address of the same bytes: placing data through it leaves
			   the TLB entries of `base` alone; may equal base */
	size_t n;
	enum cache_level level; /* in this one and none nearer */
	bool dirty;             /* not at LEVEL_MEMORY */
};

struct state {
	struct side from, to;
	enum tlb_state tlb; /* of both sides */
};

const char *level_name(enum cache_level level);
const char *tlb_name(enum tlb_state state);

/*
 * Whether n bytes can be put at this level here, proved on n bytes of the suite's
 * own; the first call for a level and n prints the proof. Under an emulator there is
 * nothing to prove: states are made all the same, and this is true where the level
 * exists. False with the reason.
 */
bool state_reached(enum cache_level level, size_t n, const char **why);

/*
 * Whether making this state still does what was proved, by a few samples: L3 may be shared
 * with others, who leave more or less of it from one moment to the next.
 */
bool state_holds(const struct state *s);

/* Whether the machine can make this TLB state. */
bool state_tlb_reached(enum tlb_state tlb, const char **why);

/* Makes the state; both sides must be reachable. The last thing to do before the copy. */
void state_set(const struct state *state);

/* Loads the 8 lines of a chase from this level, thousandths of ticks a line: as
 * measured where it was certain; 0 where not known. */
uint64_t state_latency(enum cache_level level);

/* ------------------------------------------------------------ for suite/proof.c alone */

/* Prepares making states; false where none can be made. Any number of times. */
bool state_start(const char **why);

/* States of the next level are made by walking so many times the size of this cache: what is
 * walked takes room in that level too, which may be shared with others. */
#define STATE_WALK_LEAST 2u
#define STATE_WALK_MOST  4u
void state_walk_times(enum cache_level emptied, unsigned times);

/* Bytes of a cache as CPUID has it; 0 where there is none. */
size_t state_level_bytes(enum cache_level level);

/* Whether the machine has what making this TLB state takes. */
bool state_can_displace(enum tlb_state tlb, const char **why);

#endif
