/* SPDX-License-Identifier: BSD-2-Clause */
/* Order statistics: nothing here assumes how samples are distributed. */
#ifndef SUITE_STATS_H
#define SUITE_STATS_H

#include "lib/random.h"

#include <stddef.h>
#include <stdint.h>

void stats_sort(uint64_t *samples, size_t n);

/* Of sorted samples, n > 0; for an even number the mean of the middle two. */
uint64_t stats_median(const uint64_t *sorted, size_t n);

/*
 * The 95 % interval of the median of n > 0 sorted samples is from sorted[k] to
 * sorted[n - 1 - k]; this gives k (Le Boudec's rank formula, rounded outward). Fewer
 * than 6 samples have no such interval, and get all of their range.
 */
size_t stats_interval_rank(size_t n);

/* (high - low) in thousandths of a percent of `middle`, rounded up; 0 where middle is 0. */
uint64_t stats_spread(uint64_t low, uint64_t high, uint64_t middle);

/* Puts 0..n-1 into a random order. */
void stats_shuffle(struct random *r, uint32_t *order, uint32_t n);

#endif
