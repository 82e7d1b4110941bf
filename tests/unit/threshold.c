/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/threshold.h"

#include "tests/unit/test.h"

#include <string.h>

#define COUNT 4
static const uint32_t sizes[COUNT] = { 100, 200, 400, 800 };

static bool says(const uint64_t *a, const uint64_t *b, const char *text)
{
	struct threshold_text t = threshold_text(threshold_find(sizes, a, b, COUNT));
	return strcmp(t.text, text) == 0;
}

TEST(threshold_lies_where_the_lines_cross)
{
	const uint64_t flat[COUNT] = { 50, 50, 50, 50 }, falling[COUNT] = { 90, 60, 50, 20 };
	const uint64_t steep[COUNT] = { 90, 80, 40, 20 };
	CHECK(says(falling, flat, "400+"));
	CHECK(says(steep, flat, "350+")); /* 30 above at 200, 10 below at 400 */
	CHECK(says(flat, steep, "<=100-350"));
}

TEST(threshold_that_is_none)
{
	const uint64_t low[COUNT] = { 1, 1, 1, 1 }, high[COUNT] = { 2, 2, 2, 2 };
	const uint64_t none[COUNT] = { 0 };
	CHECK(says(low, high, "<=100+"));
	CHECK(says(high, low, "never"));
	CHECK(says(none, low, "n/a"));
	CHECK(says(low, none, "n/a"));
}

TEST(threshold_passes_over_what_was_not_measured)
{
	const uint64_t flat[COUNT] = { 50, 50, 50, 50 }, gaps[COUNT] = { 0, 80, 0, 20 };
	const uint64_t only_last[COUNT] = { 0, 0, 0, 20 };
	CHECK(says(gaps, flat, "500+")); /* 30 above at 200, 30 below at 800 */
	CHECK(says(only_last, flat, "<=800+"));
}

TEST(threshold_is_the_first_range)
{
	const uint64_t flat[COUNT] = { 50, 50, 50, 50 }, twice[COUNT] = { 60, 40, 60, 40 };
	CHECK(says(twice, flat, "150-300"));
}
