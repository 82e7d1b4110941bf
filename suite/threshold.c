/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/threshold.h"

#include "lib/format.h"
#include "lib/frequency.h"

/* Of the line through (x0, y0) and (x1, -y1), where it is 0. */
static size_t cross(uint32_t x0, uint64_t y0, uint32_t x1, uint64_t y1)
{
	return x0 + (size_t)multiply_divide(x1 - x0, y0, y0 + y1);
}

struct threshold threshold_find(const uint32_t *sizes, const uint64_t *a, const uint64_t *b,
				unsigned count)
{
	struct threshold t = { 0 };
	unsigned last = count; /* that was measured; count: none yet */
	for (unsigned i = 0; i < count; i++) {
		if (!a[i] || !b[i])
			continue;
		if (last == count)
			t = (struct threshold){ SIZE_MAX, SIZE_MAX, sizes[i] };
		if (a[i] <= b[i] && t.from == SIZE_MAX)
			t.from = last == count ? sizes[i]
					       : cross(sizes[last], a[last] - b[last], sizes[i],
						       b[i] - a[i]);
		if (a[i] > b[i] && t.from != SIZE_MAX && t.to == SIZE_MAX)
			t.to = cross(sizes[last], b[last] - a[last], sizes[i], a[i] - b[i]);
		last = i;
	}
	return t;
}

struct threshold_text threshold_text(struct threshold t)
{
	struct threshold_text text = { "n/a" };
	const char *below = t.from == t.first ? "<=" : "";
	if (t.from == SIZE_MAX)
		format(text.text, sizeof(text.text), "never");
	else if (t.from && t.to == SIZE_MAX)
		format(text.text, sizeof(text.text), "%s%zu+", below, t.from);
	else if (t.from)
		format(text.text, sizeof(text.text), "%s%zu-%zu", below, t.from, t.to);
	return text;
}
