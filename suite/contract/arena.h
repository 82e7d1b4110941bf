/* SPDX-License-Identifier: BSD-2-Clause */
/* Where cases are run: areas of every kind that a side can lie in, filled once, and put
 * back after each case where they were changed. */
#ifndef SUITE_CONTRACT_ARENA_H
#define SUITE_CONTRACT_ARENA_H

#include "suite/contract/case.h"
#include "suite/contract/judge.h"
#include "suite/machine.h"
#include "suite/registry.h"

enum arena_area {
	TO_KERNEL,
	TO_USER,
	TO_READ_ONLY, /* the special pages (case.h) can only be read */
	TO_DEMAND,    /* the special pages are there on demand */
	FROM_KERNEL,
	FROM_USER,
	FROM_DEMAND,
	ARENA_MAPPED, /* the arena's own; the machine keeps those that follow */
	TO_LARGE = ARENA_MAPPED,
	FROM_LARGE,
	ARENA_AREAS
};

struct arena {
	struct area area[ARENA_AREAS];
	struct area memory[SIDES];
	uint8_t *model[SIDES]; /* what the side's areas hold at rest; the pattern goes on for
				  CASE_AREA_BYTES before and after, where a buffer hangs over */
	uint8_t *noncanonical; /* machine_noncanonical() */
	uint32_t offers;       /* enum cases_offer (generate.h): what the machine has */
};

struct trial {
	struct outcome outcome;
	struct verdict verdict;
};

/* How much is compared after a case. */
enum look {
	LOOK_AROUND, /* the buffers, and CASE_POISON bytes on both sides of the destination */
	LOOK_EVERYWHERE
};

bool arena_map(struct arena *arena, const char **why);
void arena_unmap(struct arena *arena);

/* Runs one admissible case and judges it. */
void arena_run(struct arena *arena, const struct form *form, const struct contract_case *c,
	       enum look look, struct trial *t);

/* Runs it without looking at what it did; the destination is not put back. */
void arena_call(struct arena *arena, const struct form *form, const struct contract_case *c,
		struct outcome *outcome);

/* Every byte of all areas is as at rest; if not, they are put so. */
bool arena_restore(struct arena *arena);

#endif
