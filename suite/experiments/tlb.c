/* SPDX-License-Identifier: BSD-2-Clause */
/* One copy by where the translations of its pages are; the data itself is in L2. */
#include "lib/format.h"
#include "suite/grid.h"

#define BYTES 16384u

static size_t bytes(unsigned point)
{
	(void)point;
	return BYTES;
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%s", tlb_name((enum tlb_state)point));
}

static void keys(unsigned point, char *text, size_t size)
{
	format(text, size, "cache=l2/tlb=%s", tlb_name((enum tlb_state)point));
}

static bool reachable(unsigned point, const char **why)
{
	return state_reached(LEVEL_L2, BYTES, why) && state_tlb_reached((enum tlb_state)point, why);
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	const size_t half = MACHINE_PAGE / 2; /* see dst-align */
	const struct state state = {
		.from = { from->base + half, from->alias + half, BYTES, LEVEL_L2, false },
		.to = { to->base, to->alias, BYTES, LEVEL_L2, false },
		.tlb = (enum tlb_state)point,
	};
	return measure_from(form->entry, &state, m, why);
}

static enum experiment_result run(void)
{
	static const struct grid grid = {
		.name = "tlb",
		.row = "tlb",
		.kind = FORM_PLAIN,
		.cell_ms = 20,
		.points = TLB_STATES,
		.area_bytes = BYTES + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

EXPERIMENT(tlb, "tlb", "one copy by where its translations are", 0, run);
