/* SPDX-License-Identifier: BSD-2-Clause */
/* Every routine at every size, hot, both sides on a page boundary, half a page apart. */
#include "lib/format.h"
#include "suite/grid.h"
#include "suite/options.h"

#define LARGEST (1u << 20)

static const uint32_t sizes[] = {
	16, 64, 256, 1024, 2048, 4096, 8192, 16384, 65536, 262144, LARGEST
};

static size_t bytes(unsigned point)
{
	return sizes[point];
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%u", sizes[point]);
}

static void keys(unsigned point, char *text, size_t size)
{
	(void)point;
	format(text, size, "cache=hot");
}

static bool reachable(unsigned point, const char **why)
{
	uint32_t n = sizes[point];
	*why = "not in suite=quick";
	return suite_options()->level != SUITE_QUICK || n == 64 || n == 1024 || n == 4096;
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	/* half a page off: else the low 12 bits of loads and stores agree (see dst-align) */
	return measure_hot(form->entry, to->base, from->base + MACHINE_PAGE / 2, sizes[point], m,
			   why);
}

static enum experiment_result run(void)
{
	static const struct grid grid = {
		.name = "size",
		.row = "bytes",
		.kind = FORM_PLAIN,
		.cell_ms = 3,
		.points = sizeof(sizes) / sizeof(sizes[0]),
		.area_bytes = LARGEST + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

EXPERIMENT(size, "size", "throughput by size, everything hot", 0, run);
