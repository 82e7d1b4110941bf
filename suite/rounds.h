/* SPDX-License-Identifier: BSD-2-Clause */
/* One round over an experiment's cells, and what all rounds may cost (docs/METHOD.md). */
#ifndef SUITE_ROUNDS_H
#define SUITE_ROUNDS_H

#include "lib/random.h"

#include <stdbool.h>
#include <stdint.h>

/* What an experiment may take, in ms; 0: as long as it needs. */
uint64_t rounds_cap(void);

/* Whether one that began at `begun` (machine_ticks()) has cost twice its cap: a disturbed machine
 * may make it cost so much, and not more. */
bool rounds_over(uint64_t begun);

/* Measures a cell: false where it was disturbed (measure_later), and is to come again. */
typedef bool rounds_measure(uint32_t cell, void *context);

/*
 * Measures cells 0 to `cells` - 1 in a new random order, for which `order` is the room. What is
 * disturbed comes again when all others are done, and at last is taken as it is; so is all that
 * is left when rounds_over(begun).
 */
void rounds_visit(uint32_t *order, uint32_t cells, struct random *r, uint64_t begun,
		  rounds_measure *measure, void *context);

#endif
