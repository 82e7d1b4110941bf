/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/stats.h"

#include "lib/frequency.h"

/* Shell's sort: short, in place, and quick enough for some hundred samples. */
void stats_sort(uint64_t *samples, size_t n)
{
	for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
		for (size_t i = gap; i < n; i++) {
			uint64_t sample = samples[i];
			size_t j = i;
			for (; j >= gap && samples[j - gap] > sample; j -= gap)
				samples[j] = samples[j - gap];
			samples[j] = sample;
		}
	}
}

uint64_t stats_median(const uint64_t *sorted, size_t n)
{
	uint64_t low = sorted[(n - 1) / 2], high = sorted[n / 2];
	return low + (high - low) / 2;
}

/* The square root of x, rounded up. */
static uint64_t root(uint64_t x)
{
	uint64_t r = 0;
	while (r * r < x)
		r++;
	return r;
}

size_t stats_interval_rank(size_t n)
{
	/* (n - 1.96 sqrt(n)) / 2 ranks are below, counted from 1; in hundredths */
	uint64_t width = root(38416 * (uint64_t)n), all = 100 * (uint64_t)n;
	uint64_t rank = width < all ? (all - width) / 200 : 0;
	return rank > 0 ? (size_t)(rank - 1) : 0;
}

uint64_t stats_spread(uint64_t low, uint64_t high, uint64_t middle)
{
	if (middle == 0)
		return 0;
	return multiply_divide(high - low, 100000, middle) + (high > low);
}

void stats_shuffle(struct random *r, uint32_t *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = random_below(r, i + 1);
		order[i] = order[j];
		order[j] = i;
	}
}
