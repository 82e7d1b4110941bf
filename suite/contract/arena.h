/* SPDX-License-Identifier: BSD-2-Clause */
/* Where cases are run: for each side one user and one kernel area, filled once, and
 * put back after each case where it was changed. */
#ifndef SUITE_CONTRACT_ARENA_H
#define SUITE_CONTRACT_ARENA_H

#include "suite/contract/case.h"
#include "suite/contract/judge.h"
#include "suite/machine.h"
#include "suite/registry.h"

struct arena {
	struct area area[SIDES][2]; /* [side][user] */
	struct area memory[SIDES];
	uint8_t *model[SIDES]; /* what the side's areas hold at rest; the pattern goes on for
				  CASE_AREA_BYTES before and after, where a buffer hangs over */
};

struct trial {
	struct outcome outcome;
	struct verdict verdict;
};

/* How much is compared after a case. */
enum look {
	LOOK_AROUND, /* the buffers and CASE_POISON bytes on both sides */
	LOOK_EVERYWHERE
};

bool arena_map(struct arena *arena, const char **why);
void arena_unmap(struct arena *arena);

/* Runs one admissible case and judges it. */
void arena_run(struct arena *arena, const struct form *form, const struct contract_case *c,
	       enum look look, struct trial *t);

/* Every byte of all areas is as at rest; if not, they are put so. */
bool arena_restore(struct arena *arena);

#endif
