/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Timing one cell in one round (docs/METHOD.md). What can be repeated is timed in
 * batches of c and of 2c copies, whose difference cancels the bracket; what cannot,
 * a copy from a cold state, in single shots less the empty bracket. Either way a
 * sample rests on many steps of the counter, and the figure is the median of many
 * samples, with its order-statistic interval.
 */
#ifndef SUITE_MEASURE_H
#define SUITE_MEASURE_H

#include "suite/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Steps of the counter that a sample rests on: the method asks for 200 at least. Either reading
 * of a difference is a step off at most, and a hot sample is of up to 8 differences of 200 steps,
 * whose errors have nothing to do with each other. */
#define MEASURE_STEPS       500u
#define MEASURE_STEPS_SHOT  200u
#define MEASURE_SAMPLES_MIN 35u
#define MEASURE_SAMPLES_FEW 5u /* where one takes over 3 ms, or means nothing (emulators) */
#define MEASURE_SAMPLES_MAX 280u

/*
 * What is measured from now on, on a machine that disturbs it: alone, it waits for five times a
 * cell's time for undisturbed samples, and then makes do with few, or with others. A cell that can
 * come again waits for its time only: false, with measure_later as the reason. The last time it
 * waits as if alone; where no time is left at all, it makes do with others at once.
 */
enum measure_turn { MEASURE_ALONE, MEASURE_COMES_AGAIN, MEASURE_LAST_TIME, MEASURE_NOW };
void measure_turn(enum measure_turn turn);
extern const char measure_later[];

struct measured {
	uint64_t ticks; /* an operation: the median, in thousandths */
	uint64_t low;   /* its 95 % interval, in thousandths of ticks */
	uint64_t high;
	uint64_t ns;      /* an operation, in thousandths; 0 where the clock is not known */
	uint64_t cycles;  /* core cycles, in thousandths; 0 where they are not known */
	uint64_t minimum; /* the smallest sample, in thousandths of ticks */
	uint64_t quartile[2];
	uint64_t spread; /* of the interval, in thousandths of a percent of the median */
	uint32_t samples;
	bool disturbed; /* some of them were, and there were no better ones to be had */
};

/*
 * entry(to, from, n) with everything hot: it runs once before it is timed. Ends when
 * the interval is within 0.5 % of the median, or the cell's time (20 ms) is up. False,
 * with the reason, where no figure can be had.
 */
bool measure_hot(uintptr_t entry, void *to, const void *from, size_t n, struct measured *m,
		 const char **why);

/*
 * The same copy started from `state`, whose sides are the buffers; the state must
 * have been reached (state_reached()). Ends when the interval is within 2 % of the
 * median, or the cell's time (100 ms) is up. The routine's own code is hot.
 */
bool measure_from(uintptr_t entry, const struct state *state, struct measured *m, const char **why);

/* Ticks for one entry(to, from, n), less the smallest empty bracket. */
uint64_t measure_once(uintptr_t entry, void *to, const void *from, size_t n);

/*
 * What measure_once() says of the parts of an operation, summed up: shot(context) makes its
 * own preparations each time and returns the sum. Ends as measure_from() does, after `ms` at
 * the latest where samples come in time.
 */
typedef uint64_t measure_shot(void *context);
bool measure_shots(measure_shot *shot, void *context, uint32_t ms, struct measured *m,
		   const char **why);

/*
 * An operation that makes its own preparations: entry() alone, hot after its first run,
 * through memory that need not be in a cache. Ends as measure_from() does, after `ms` at
 * the latest where samples come in time.
 */
bool measure_operation(uintptr_t entry, uint32_t ms, struct measured *m, const char **why);

/* Of one operation what was measured of `count`. */
void measure_divide(struct measured *m, uint32_t count);

/* Samples so far, and those thrown away, by cause. */
/* Of pieces that were timed: shots, or pairs of batches. */
struct measure_count {
	uint64_t taken;
	uint64_t preempted;   /* the machine counted an SMI, or was given to another process */
	uint64_t interrupted; /* a gap: far from what is usual, or too short */
	uint64_t clock;       /* the core's clock changed meanwhile */
	uint64_t shared;      /* another thread was on the core, or had taken L3 */
	uint64_t kept;        /* disturbed all the same, for want of better ones */
	uint64_t moves;       /* to another CPU, since nothing else was had of one */
};
const struct measure_count *measure_count(void);

/* n bytes in `ticks` thousandths of a tick as KB/s (1,000 bytes), in thousandths; 0 where
 * the clock is not known. */
uint64_t measure_kilobytes(size_t n, uint64_t ticks);

#endif
