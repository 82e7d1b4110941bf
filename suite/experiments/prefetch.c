/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy from memory with the hardware prefetchers on and off. */
#include "lib/format.h"
#include "suite/grid.h"

#define BYTES 16384u

static size_t bytes(unsigned point)
{
	(void)point;
	return BYTES;
}

static const char *name(unsigned point)
{
	return point ? "off" : "on";
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%s", name(point));
}

static void keys(unsigned point, char *text, size_t size)
{
	format(text, size, "cache=memory/prefetchers=%s", name(point));
}

static bool reachable(unsigned point, const char **why)
{
	bool switched = machine_prefetchers(point == 0, why);
	const char *ignored;
	machine_prefetchers(true, &ignored);
	return switched && state_reached(LEVEL_MEMORY, BYTES, why);
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	const size_t half = MACHINE_PAGE / 2; /* see dst-align */
	const struct state state = {
		.from = { from->base + half, from->alias + half, BYTES, LEVEL_MEMORY, false },
		.to = { to->base, to->alias, BYTES, LEVEL_MEMORY, false },
	};
	const char *ignored;
	bool measured =
		machine_prefetchers(point == 0, why) && measure_from(form->entry, &state, m, why);
	machine_prefetchers(true, &ignored);
	return measured;
}

static enum experiment_result run(void)
{
	static const struct grid grid = {
		.name = "prefetch",
		.row = "prefetchers",
		.kind = FORM_PLAIN,
		.cell_ms = 25,
		.points = 2,
		.area_bytes = BYTES + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

EXPERIMENT(prefetch, "prefetch", "a copy from memory with the prefetchers on and off", CAN_RING0,
	   run);
