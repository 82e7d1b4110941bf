/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/stats.h"

#include "tests/unit/test.h"

#include <string.h>

TEST(sorting_sorts)
{
	struct random r = random_seeded(5);
	for (size_t n = 0; n < 70; n++) {
		uint64_t samples[70], sum = 0;
		for (size_t i = 0; i < n; i++) {
			samples[i] = random_below(&r, 40);
			sum += samples[i];
		}
		stats_sort(samples, n);
		for (size_t i = 0; i < n; i++) {
			CHECK(i == 0 || samples[i - 1] <= samples[i]);
			sum -= samples[i];
		}
		CHECK_NUMBER(sum, 0);
	}
}

TEST(median_of_odd_and_even)
{
	const uint64_t samples[] = { 1, 3, 10, UINT64_MAX - 1, UINT64_MAX };
	CHECK_NUMBER(stats_median(samples, 1), 1);
	CHECK_NUMBER(stats_median(samples, 2), 2);
	CHECK_NUMBER(stats_median(samples, 3), 3);
	CHECK_NUMBER(stats_median(samples, 4), 6);
	CHECK_NUMBER(stats_median(samples, 5), 10);
	CHECK_NUMBER(stats_median(samples + 3, 2), UINT64_MAX - 1);
}

/* The chance, in 2^-n, that the median of the distribution lies below sorted[k]. */
static double tail(size_t n, size_t k)
{
	double sum = 0, choose = 1;
	for (size_t i = 0; i <= k; i++) {
		sum += choose;
		choose = choose * (double)(n - i) / (double)(i + 1);
	}
	for (size_t i = 0; i < n; i++)
		sum /= 2;
	return sum;
}

TEST(interval_holds_the_median_in_95_percent)
{
	CHECK_NUMBER(stats_interval_rank(1), 0);
	CHECK_NUMBER(stats_interval_rank(5), 0);
	for (size_t n = 6; n < 300; n++) {
		size_t k = stats_interval_rank(n);
		CHECK(k < n / 2);
		/* sorted[k] is above the median only when at most k samples are below it */
		CHECK(k == 0 || tail(n, k) <= 0.0256);
		CHECK(tail(n, k + 2) > 0.02); /* and it is not wider than need be */
	}
}

TEST(spread_is_in_thousandths_of_a_percent)
{
	CHECK_NUMBER(stats_spread(1000, 1000, 1000), 0);
	CHECK_NUMBER(stats_spread(995, 1005, 1000), 1001);
	CHECK_NUMBER(stats_spread(1, 2, 0), 0);
}

TEST(shuffling_keeps_every_cell)
{
	struct random r = random_seeded(7);
	uint32_t order[100];
	bool seen[100] = { false };
	unsigned moved = 0;
	stats_shuffle(&r, order, 100);
	for (uint32_t i = 0; i < 100; i++) {
		CHECK(order[i] < 100 && !seen[order[i]]);
		seen[order[i]] = true;
		moved += order[i] != i;
	}
	CHECK(moved > 50);
}
