/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linux, November 2002: which copy is the fastest differs from CPU to CPU, so let the
 * kernel time them when it boots and choose, as it does for checksums. Every routine that a
 * kernel may use is timed, hot, for each direction, size class and alignment class; the
 * fastest goes into the table of `select` (copies/select.asm), and then `select` is timed
 * beside those it chose from. The copies with a checksum have a table of their own.
 */
#include "lib/format.h"
#include "lib/string.h"
#include "suite/choice.h"
#include "suite/contract/contract.h"
#include "suite/core.h"
#include "suite/experiment.h"
#include "suite/grid.h"
#include "suite/identity.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/stats.h"

#define NAME       "select"
#define POINTS     (2 * COPY_SIZE_CLASSES)
#define TRIES      5u
#define MISALIGNED 1u   /* byte: where the source starts in a copy that counts as such */
#define TOLERANCE  2000 /* thousandths of a percent: what two figures differ by chance */

_Static_assert(POINTS <= GRID_POINTS, "a grid has a point for every class");

struct direction {
	const char *name;
	enum form_kind kind;
	bool csum;
	choice_table *table;
};

static const struct direction directions[] = {
	{ "to_user", FORM_TO_USER, false, &copy_params.select[FORM_TO_USER] },
	{ "from_user", FORM_FROM_USER, false, &copy_params.select[FORM_FROM_USER] },
	{ "csum_to_user", FORM_TO_USER, true, &copy_params.select_csum[FORM_TO_USER] },
	{ "csum_from_user", FORM_FROM_USER, true, &copy_params.select_csum[FORM_FROM_USER] },
};

/* The direction that is measured, and whether its table is filled already. */
static const struct direction *now;
static bool filled;

/* What was found at a point before the table was filled. */
static struct found {
	const struct form *best, *next;
	uint64_t best_figure, next_figure; /* thousandths of grid_unit(); 0: none */
} found[POINTS];

static const struct form *find_select(void)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	for (size_t i = 0; i < count; i++)
		if (choice_is_select(&forms[i]) && forms[i].kind == now->kind &&
		    forms[i].csum == now->csum)
			return &forms[i];
	return NULL;
}

/* ------------------------------------------------------------ the grid */

static unsigned class_of(unsigned point)
{
	return point / 2;
}

static size_t bytes(unsigned point)
{
	return choice_bytes(class_of(point));
}

static const char *alignment(unsigned point)
{
	return point % 2 ? "off" : "same";
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%zu.%s", bytes(point), alignment(point));
}

static void keys(unsigned point, char *text, size_t size)
{
	format(text, size, "dir=%s/align=%s/table=%s", now->name, alignment(point),
	       filled ? "filled" : "empty");
}

/* The classes that are measured; the others get their neighbours' choice. */
static bool is_measured(unsigned class)
{
	switch (suite_options()->level) {
	case SUITE_QUICK:
		return class == 1 || class == 5;
	case SUITE_STANDARD:
		return class < 2 || class % 3 == 1;
	default:
		return true;
	}
}

static bool reachable(unsigned point, const char **why)
{
	*why = NULL; /* its neighbours stand for it */
	return is_measured(class_of(point));
}

static bool in_table(const struct form *form)
{
	for (unsigned class = 0; class < COPY_SIZE_CLASSES; class ++)
		if ((*now->table)[class][0] == form->entry ||
		    (*now->table)[class][1] == form->entry)
			return true;
	return false;
}

/* Under an emulator a few show that it works. */
static bool is_wanted(const struct form *form)
{
	static const char *const few[] = { "rep_movsb", "movl_loop", "int_unrolled_exact",
					   "sse2_movdqu4_saved" };
	if (form->csum != now->csum)
		return false;
	if (filled)
		return choice_is_select(form) || in_table(form);
	if (!choice_eligible(form) || form->csum || suite_options()->level != SUITE_QUICK)
		return choice_eligible(form);
	for (size_t i = 0; i < sizeof(few) / sizeof(few[0]); i++)
		if (strcmp(form->routine->name, few[i]) == 0)
			return true;
	return false;
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	/* see dst-align */
	const size_t at = MACHINE_PAGE / 2 + (point % 2 ? MISALIGNED : 0), n = bytes(point);
	memset(to->alias, 0, n);
	return measure_hot(form->entry, to->base, from->base + at, n, m, why) &&
	       grid_same(to->alias, from->alias + at, n, why);
}

static enum experiment_result run_grid(void)
{
	unsigned last = COPY_SIZE_CLASSES - 1;
	while (!is_measured(last))
		last--;
	const struct grid grid = {
		.name = NAME,
		.row = "bytes.alignment",
		.kind = now->kind,
		.wanted = is_wanted,
		.own_summary = true,
		.best_only = !filled,
		.cell_ms = 3,
		.points = 2 * (last + 1),
		.area_bytes = choice_bytes(last) + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	return grid_run(&grid);
}

/* ------------------------------------------------------------ choosing */

static struct found find_best(unsigned point)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	struct found f = { 0 };
	for (size_t i = 0; i < count; i++) {
		uint64_t figure = grid_figure(point, &forms[i]);
		if (!figure)
			continue;
		if (!f.best || figure < f.best_figure) {
			f.next = f.best;
			f.next_figure = f.best_figure;
			f.best = &forms[i];
			f.best_figure = figure;
		} else if (!f.next || figure < f.next_figure) {
			f.next = &forms[i];
			f.next_figure = figure;
		}
	}
	return f;
}

static void choose(void)
{
	memset(now->table, 0, sizeof(*now->table));
	for (unsigned point = 0; point < POINTS; point++) {
		found[point] =
			is_measured(class_of(point)) ? find_best(point) : (struct found){ 0 };
		if (found[point].best)
			(*now->table)[class_of(point)][point % 2] = found[point].best->entry;
	}
	choice_fill(*now->table);
}

/* ------------------------------------------------------------ what it costs */

/* A copy of one byte, in thousandths of grid_unit(); 0: no figure. */
static uint64_t time_byte(uintptr_t entry)
{
	static uint8_t to[64] __attribute__((aligned(64))), from[64] __attribute__((aligned(64)));
	struct measured m;
	const char *why;
	if (!measure_hot(entry, to, from, 1, &m, &why))
		return 0;
	return m.cycles ? m.cycles : m.ticks;
}

/* What the way through the table adds to the shortest copy, which hides none of it. */
static uint64_t dispatch_cost(const struct form *select)
{
	uint64_t costs[TRIES];
	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t with = time_byte(select->entry), without = time_byte((*now->table)[0][0]);
		costs[i] = with > without ? with - without : 0;
	}
	stats_sort(costs, TRIES);
	return stats_median(costs, TRIES);
}

/* The fastest of those that the table has, at this point, now. */
static uint64_t best_single(unsigned point)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	uint64_t best = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t figure = grid_figure(point, &forms[i]);
		if (figure && !choice_is_select(&forms[i]) && (!best || figure < best))
			best = figure;
	}
	return best;
}

/* ------------------------------------------------------------ the record */

static struct fixed_text text(uint64_t figure)
{
	return figure ? fixed(figure, 1) : (struct fixed_text){ "n/a" };
}

/* "96 to 191" */
struct range_text {
	char text[32];
};

static struct range_text range_text(unsigned class)
{
	struct range_text t;
	if (class + 1 < COPY_SIZE_CLASSES)
		format(t.text, sizeof(t.text), "%zu-%zu", choice_low(class),
		       choice_low(class + 1) - 1);
	else
		format(t.text, sizeof(t.text), "%zu+", choice_low(class));
	return t;
}

static void print_choice(unsigned point, const struct form *select)
{
	const struct found *f = &found[point];
	char lead[48] = "no other within twice";
	if (f->next)
		format(lead, sizeof(lead), "%s %% before %s",
		       fixed((f->next_figure - f->best_figure) * 100000 / f->best_figure, 1).text,
		       f->next->routine->name);
	record_text("%16s %5s %24s %10s %10s %10s  %s", range_text(class_of(point)).text,
		    alignment(point), f->best->routine->name, text(f->best_figure).text,
		    text(best_single(point)).text, text(grid_figure(point, select)).text, lead);
}

/* How many points `select` was measured at, and how many of them it lost: by more than
 * dispatch and chance make. */
struct score {
	unsigned points, lost;
	uint64_t worst; /* thousandths of grid_unit() over the best single routine */
	unsigned worst_point;
};

static struct score keep_score(const struct form *select, uint64_t dispatch)
{
	struct score s = { 0 };
	for (unsigned point = 0; point < POINTS; point++) {
		uint64_t own = found[point].best ? grid_figure(point, select) : 0;
		uint64_t best = own ? best_single(point) : 0;
		if (!best)
			continue;
		s.points++;
		s.lost += own > best + dispatch + best * TOLERANCE / 100000;
		if (own > best && own - best > s.worst) {
			s.worst = own - best;
			s.worst_point = point;
		}
	}
	return s;
}

static void print_choices(const struct form *select)
{
	uint64_t dispatch = dispatch_cost(select);
	record_text("%s %s: the choice for each class, by %s a copy before the table was filled; "
		    "then, in runs of their own, of the best single routine and of %s; timing: %s",
		    NAME, now->name, grid_unit(), select->routine->name, identity_timing_name());
	record_text("align: off where (to ^ from) has a bit of 0x%x set; classes without a line "
		    "have their neighbour's choice",
		    copy_params.align_mask);
	record_text("%16s %5s %24s %10s %10s %10s  %s", "bytes", "align", "chosen", grid_unit(),
		    "single", "select", "lead");
	for (unsigned point = 0; point < POINTS; point++)
		if (found[point].best)
			print_choice(point, select);
	struct score s = keep_score(select, dispatch);
	char label_text[32];
	label(s.worst_point, label_text, sizeof(label_text));
	record_text("%s %s: the way through the table adds %s %s; at %u of %u points it was slower "
		    "than the best single routine by more than that and 2 %%; at worst by %s, at "
		    "%s",
		    NAME, now->name, fixed(dispatch, 1).text, grid_unit(), s.lost, s.points,
		    fixed(s.worst, 1).text, label_text);
	record_lava(s.points ? LAVA_PASS : LAVA_UNKNOWN, grid_unit(), dispatch, "%s.%s.dispatch",
		    NAME, now->name);
}

/* ------------------------------------------------------------ a direction */

static enum experiment_result run_direction(void)
{
	const struct form *select = find_select();
	filled = false;
	enum experiment_result result = run_grid();
	if (result == EXPERIMENT_SKIPPED)
		record_text("%s %s: skipped: no routine to choose from", NAME, now->name);
	if (result != EXPERIMENT_DONE)
		return result;
	choose();
	filled = true;
	result = run_grid();
	if (result != EXPERIMENT_DIED)
		print_choices(select);
	if (result == EXPERIMENT_DIED ||
	    !contract_again(select, suite_options()->level == SUITE_QUICK ? 400 : 4000))
		return EXPERIMENT_DIED;
	return EXPERIMENT_DONE;
}

static enum experiment_result run(void)
{
	enum experiment_result result = EXPERIMENT_SKIPPED;
	for (size_t i = 0; i < sizeof(directions) / sizeof(directions[0]); i++) {
		now = &directions[i];
		enum experiment_result one = run_direction();
		if (one == EXPERIMENT_DIED)
			return one;
		result = one == EXPERIMENT_DONE ? one : result;
	}
	return result;
}

EXPERIMENT(select, NAME, "the fastest routine for each direction, size and alignment", 0, run);
