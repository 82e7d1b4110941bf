/* SPDX-License-Identifier: BSD-2-Clause */
/* One copy from each place where the source and the destination can lie. Each state
 * is proved first; those that the machine does not reach are skipped and told. */
#include "lib/format.h"
#include "suite/grid.h"
#include "suite/options.h"

#define LARGEST 65536u

struct place {
	uint32_t n;
	enum cache_level from, to;
	bool dirty; /* the destination */
};

static const struct place places[] = {
	{ 4096, LEVEL_L1, LEVEL_L1, false },
	{ 4096, LEVEL_L2, LEVEL_L2, false },
	{ 4096, LEVEL_L2, LEVEL_L2, true },
	{ 4096, LEVEL_L3, LEVEL_L3, false },
	{ 4096, LEVEL_L3, LEVEL_L3, true },
	{ 4096, LEVEL_MEMORY, LEVEL_L1, false },
	{ 4096, LEVEL_L1, LEVEL_MEMORY, false },
	{ 4096, LEVEL_MEMORY, LEVEL_MEMORY, false },
	{ LARGEST, LEVEL_L2, LEVEL_L2, false },
	{ LARGEST, LEVEL_L3, LEVEL_L3, false },
	{ LARGEST, LEVEL_MEMORY, LEVEL_MEMORY, false },
};

static size_t bytes(unsigned point)
{
	return places[point].n;
}

static void label(unsigned point, char *text, size_t size)
{
	const struct place *p = &places[point];
	format(text, size, "%u.%s.%s%s", p->n, level_name(p->from), level_name(p->to),
	       p->dirty ? ".dirty" : "");
}

static void keys(unsigned point, char *text, size_t size)
{
	const struct place *p = &places[point];
	format(text, size, "src=%s/dst=%s%s", level_name(p->from), level_name(p->to),
	       p->dirty ? "_dirty" : "");
}

static bool reachable(unsigned point, const char **why)
{
	const struct place *p = &places[point];
	*why = "only in suite=full";
	if (p->n == LARGEST && suite_options()->level != SUITE_FULL)
		return false;
	return state_reached(p->from, p->n, why) && state_reached(p->to, p->n, why);
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	const struct place *p = &places[point];
	const size_t half = MACHINE_PAGE / 2; /* see dst-align */
	const struct state state = {
		.from = { from->base + half, from->alias + half, p->n, p->from, false },
		.to = { to->base, to->alias, p->n, p->to, p->dirty },
		.tlb = TLB_HOT,
	};
	return measure_from(form->entry, &state, m, why);
}

static enum experiment_result run(void)
{
	static const struct grid grid = {
		.name = "cache",
		.row = "bytes.src.dst",
		.kind = FORM_PLAIN,
		.cell_ms = 25,
		.points = sizeof(places) / sizeof(places[0]),
		.area_bytes = LARGEST + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

EXPERIMENT(cache, "cache", "one copy by where source and destination lie", 0, run);
