/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An experiment that is a grid: every chosen routine at every point. The cells are
 * visited in rounds, each in a new random order and on new pages; each cell is a
 * benchmark line, and at the end stand a table, the spread between the rounds, and
 * who is fastest at each point, with those whose lead is less than what layout or
 * the rounds themselves make printed as a tie (docs/METHOD.md).
 */
#ifndef SUITE_GRID_H
#define SUITE_GRID_H

#include "suite/experiment.h"
#include "suite/machine.h"
#include "suite/measure.h"
#include "suite/registry.h"

#define GRID_POINTS 32u

struct grid {
	const char *name; /* the experiment's */
	const char *row;  /* what a point is, as the table's first column is headed */
	enum form_kind kind;
	bool (*wanted)(const struct form *form); /* NULL: all of this kind */
	bool own_summary;                        /* the experiment's: who is fastest is not told */
	/* A cell that took twice as long as its point's second fastest in the first round is not
	 * measured again, and has no figure: where only the best are asked for. */
	bool best_only;
	unsigned points;
	unsigned cell_ms;  /* what a cell takes, roughly: a grid that costs too much is sampled */
	size_t area_bytes; /* of each of the two areas, which lie in it from offset 0 on */
	size_t (*bytes)(unsigned point);
	/* The row's name, and the benchmark line's further keys ("src=l2/dst=memory") or "". */
	void (*label)(unsigned point, char *text, size_t size);
	void (*keys)(unsigned point, char *text, size_t size);
	/* False: this point is not to be had, and why; NULL where that need not be told. Asked
	 * before the first round. */
	bool (*reachable)(unsigned point, const char **why);
	bool (*measure)(unsigned point, const struct form *form, const struct area *to,
			const struct area *from, struct measured *m, const char **why);
};

enum experiment_result grid_run(const struct grid *grid);

/* For measure(): whether the n bytes at `to` are those at `from`, both by the alias, after a
 * copy over other bytes. If not, the experiment has failed. */
bool grid_same(const uint8_t *to, const uint8_t *from, size_t n, const char **why);

/* Of the grid that ran last: the form's figure at a point, the median over the rounds, in
 * thousandths of grid_unit(). 0: none. */
uint64_t grid_figure(unsigned point, const struct form *form);
/* "cycles" or, where core cycles are not known, "ticks". */
const char *grid_unit(void);

#endif
