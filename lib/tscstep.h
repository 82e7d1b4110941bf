/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step of the time-stamp counter: many counters advance by more than one at
 * a time (21 ticks on one EPYC), and no figure can be finer than that.
 */
#ifndef LIB_TSCSTEP_H
#define LIB_TSCSTEP_H

#include "lib/call.h"

#include <stdint.h>

#define TSCSTEP_SPAN 4096u /* longer distances are interruptions, and say nothing new */

/* How often each distance between two readings was seen. All zeros to start with. */
struct tscstep {
	uint32_t samples;
	uint32_t seen[TSCSTEP_SPAN];
};

void tscstep_add(struct tscstep *s, uint64_t distance);

/*
 * The largest step, in ticks, that explains the distances: their greatest common
 * divisor, or, for a counter whose step is not a whole number (24.5: distances
 * of 24, 25, 49, 73, 74...), the smallest distance between clusters of two
 * neighbouring values. Distances seen in less than one reading of 2,000 are left
 * out, so that a few strays do not hide the step. 1 where nothing was added.
 */
uint32_t tscstep_find(const struct tscstep *s);

/* Reads the counter of this CPU 20,000 times (a few milliseconds) with varied
 * pauses between; `fence` says what the CPU has. */
uint32_t tscstep_measure(enum bracket_fence fence);

#endif
