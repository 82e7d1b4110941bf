/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Timing one cell in one round (docs/METHOD.md): batches of c and of 2c copies, whose
 * difference cancels the bracket and rests on at least MEASURE_STEPS steps of the
 * counter; the median of many, with its order-statistic interval.
 */
#ifndef SUITE_MEASURE_H
#define SUITE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The method asks for 200 at least; this makes the counter's own error 0.2 % at most
 * (two readings, each a step off). */
#define MEASURE_STEPS       1000u
#define MEASURE_SAMPLES_MIN 31u
#define MEASURE_SAMPLES_FEW 5u /* where one takes over 3 ms */
#define MEASURE_SAMPLES_MAX 248u

struct measured {
	uint64_t ticks; /* an operation: the median, in thousandths */
	uint64_t low;   /* its 95 % interval, in thousandths of ticks */
	uint64_t high;
	uint64_t ns;     /* an operation, in thousandths; 0 where the clock is not known */
	uint64_t spread; /* of the interval, in thousandths of a percent of the median */
	uint32_t batch;  /* copies in the smaller batch */
	uint32_t samples;
};

/*
 * entry(to, from, n) with everything hot: it runs once before it is timed. Ends when
 * the interval is within 0.5 % of the median, or the cell's time (20 ms) is up. False,
 * with the reason, where no figure can be had.
 */
bool measure_hot(uintptr_t entry, void *to, const void *from, size_t n, struct measured *m,
		 const char **why);

/* Samples so far, and those thrown away because a batch was disturbed: the larger took
 * no longer than the smaller. */
void measure_disturbed(uint64_t *thrown_away, uint64_t *taken);

/* n bytes in so many ticks (in thousandths) as KB/s (1,000 bytes), in thousandths; 0
 * where the clock is not known. */
uint64_t measure_kilobytes(size_t n, uint64_t ticks);

#endif
