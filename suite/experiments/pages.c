/* SPDX-License-Identifier: BSD-2-Clause */
/* One copy on pages of each size, with its translations hot and cold. */
#include "lib/format.h"
#include "lib/string.h"
#include "suite/grid.h"

#define BYTES 65536u
#define SIZES 3u /* 4 KiB, and two large ones at most */

static size_t page_bytes(unsigned point)
{
	return point / 2 ? machine_large_page(point / 2 - 1) : MACHINE_PAGE;
}

static enum tlb_state tlb(unsigned point)
{
	return point % 2 ? TLB_COLD : TLB_HOT;
}

static size_t bytes(unsigned point)
{
	(void)point;
	return BYTES;
}

static void name(unsigned point, char *text, size_t size)
{
	size_t page = page_bytes(point);
	if (page >> 30)
		format(text, size, "1gib");
	else if (page >> 20)
		format(text, size, "%umib", (unsigned)(page >> 20));
	else
		format(text, size, page ? "4kib" : "larger");
}

static void label(unsigned point, char *text, size_t size)
{
	char page[8];
	name(point, page, sizeof(page));
	format(text, size, "%s.%s", page, tlb_name(tlb(point)));
}

static void keys(unsigned point, char *text, size_t size)
{
	char page[8];
	name(point, page, sizeof(page));
	format(text, size, "cache=l2/page=%s/tlb=%s", page, tlb_name(tlb(point)));
}

/* The areas of the grid, or those on large pages. */
static bool choose(unsigned point, struct area *to, struct area *from, const char **why)
{
	if (point < 2)
		return true;
	*why = "no pages of that size";
	return page_bytes(point) && machine_area_large(page_bytes(point), 0, to, why) &&
	       machine_area_large(page_bytes(point), 1, from, why);
}

static bool reachable(unsigned point, const char **why)
{
	struct area to, from;
	return state_reached(LEVEL_L2, BYTES, why) && state_tlb_reached(tlb(point), why) &&
	       choose(point, &to, &from, why);
}

static bool measure(unsigned point, const struct form *form, const struct area *small_to,
		    const struct area *small_from, struct measured *m, const char **why)
{
	const size_t half = MACHINE_PAGE / 2; /* see dst-align */
	struct area to = *small_to, from = *small_from;
	if (!choose(point, &to, &from, why))
		return false;
	memset(from.alias, 1, BYTES + half);
	const struct state state = {
		.from = { from.base + half, from.alias + half, BYTES, LEVEL_L2, false },
		.to = { to.base, to.alias, BYTES, LEVEL_L2, false },
		.tlb = tlb(point),
	};
	return measure_from(form->entry, &state, m, why);
}

static enum experiment_result run(void)
{
	static const struct grid grid = {
		.name = "pages",
		.row = "page.tlb",
		.kind = FORM_PLAIN,
		.cell_ms = 20,
		.points = 2 * SIZES,
		.area_bytes = BYTES + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

EXPERIMENT(pages, "pages", "one copy on pages of each size", 0, run);
