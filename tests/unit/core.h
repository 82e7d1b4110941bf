/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The core as unit tests time it: a counter of time that goes on by what timed code costs,
 * and by nothing else. A routine takes as many cycles as the number that stands for its
 * address, a cycle a tick where a test says nothing else. Times are ticks.
 */
#ifndef TESTS_UNIT_CORE_H
#define TESTS_UNIT_CORE_H

#include <stdbool.h>
#include <stdint.h>

struct unit_core {
	uint64_t now;

	/* Another thread is on the core: all but the chain takes twice as long, or `times`. */
	uint64_t shared_from, shared_until;
	unsigned times;

	/* Meanwhile for `shared_for` ticks of each `shared_every` alone, where that is set; and
	 * whether another CPU can be had, which nobody shares. */
	uint64_t shared_every, shared_for;
	bool can_move;
	bool waits; /* it waits for memory, and leaves the front end alone */

	/* Its clock is lower from some time on: a cycle takes so many percent longer. */
	uint64_t lower_from;
	unsigned lower;
	bool counts_cycles; /* as machine_core_count() has them */
	uint64_t cycles;

	/* It is taken away for `gap` ticks again and again; `counted` as a disturbance. */
	uint64_t gap, gap_from, gap_until, gap_every;
	bool counted;
	uint64_t disturbances;
	unsigned gaps; /* that fell into routines, not into what looks at the core */

	unsigned varies; /* routines take up to so many thousandths longer, by chance */
	unsigned slower; /* all of a loop's calls take so many thousandths longer, or none */

	uint64_t state_lost_until; /* for state_holds() */
	unsigned states;           /* made by state_set() */
	unsigned chains;           /* timed */
};
extern struct unit_core unit_core;

#endif
