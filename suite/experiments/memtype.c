/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy to and from memory of each type: as from a device's memory, and to it. */
#include "lib/format.h"
#include "suite/grid.h"

#define BYTES 4096u

struct pair {
	enum memory_type from, to;
};

static const struct pair pairs[] = {
	{ MEMORY_WB, MEMORY_WB }, { MEMORY_WB, MEMORY_WT }, { MEMORY_WB, MEMORY_WC },
	{ MEMORY_WB, MEMORY_UC }, { MEMORY_WT, MEMORY_WB }, { MEMORY_WC, MEMORY_WB },
	{ MEMORY_UC, MEMORY_WB },
};

static const char *type_name(enum memory_type type)
{
	static const char *const names[MEMORY_TYPES] = { "wb", "wt", "wc", "uc" };
	return names[type];
}

static size_t bytes(unsigned point)
{
	(void)point;
	return BYTES;
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%s.%s", type_name(pairs[point].from), type_name(pairs[point].to));
}

static void keys(unsigned point, char *text, size_t size)
{
	format(text, size, "src=%s/dst=%s", type_name(pairs[point].from),
	       type_name(pairs[point].to));
}

static bool reachable(unsigned point, const char **why)
{
	struct area probe;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, MACHINE_PAGE, &probe, why))
		return false;
	bool can = machine_area_type(&probe, pairs[point].from, why) &&
		   machine_area_type(&probe, pairs[point].to, why);
	machine_area_unmap(&probe);
	return can;
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	struct area source = *from, destination = *to;
	const char *ignored;
	bool measured =
		machine_area_type(&source, pairs[point].from, why) &&
		machine_area_type(&destination, pairs[point].to, why) &&
		measure_hot(form->entry, to->base, from->base + MACHINE_PAGE / 2, BYTES, m, why);
	machine_area_type(&source, MEMORY_WB, &ignored);
	machine_area_type(&destination, MEMORY_WB, &ignored);
	return measured;
}

static enum experiment_result run(void)
{
	static const struct grid grid = {
		.name = "memtype",
		.row = "src.dst",
		.kind = FORM_PLAIN,
		.cell_ms = 20, /* an uncached byte is a bus cycle */
		.points = sizeof(pairs) / sizeof(pairs[0]),
		.area_bytes = 2 * MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

EXPERIMENT(memtype, "memtype", "a copy to and from each type of memory", CAN_RING0, run);
