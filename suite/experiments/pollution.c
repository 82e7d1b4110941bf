/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * i386, 2005 and 2006: copy_from_user() with stores that pass the cache by, against one
 * through it. The copy alone does not decide: whoever comes after pays for what the copy
 * drove out of the caches, or for what it did not leave in them. So a working set is
 * resident, the copy is made, the working set is walked again, and the destination is read:
 * the sum of the three decides.
 */
#include "lib/format.h"
#include "lib/frequency.h"
#include "lib/line.h"
#include "lib/string.h"
#include "suite/experiment.h"
#include "suite/grid.h"
#include "suite/history/history.h"
#include "suite/identity.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/ring.h"
#include "suite/state.h"
#include "suite/stats.h"
#include "suite/threshold.h"

#define NAME        "pollution"
#define ROUNDS      10u /* kept for the tables */
#define CELL_MS     40u
#define WORKING_MAX ((size_t)8 << 20) /* walking more would take all of the time */
#define WARM_BYTES  256u

static const struct {
	const char *name;
	bool non_temporal, quick;
} roster[] = {
	{ "int_unrolled_always", false, true },
	{ "nocache", true, true },
	{ "rep_movsb", false, true },
	{ "rep_movsl", false, false },
	{ "sse2_movdqu4", false, false },
	{ "avx_vmovdqu", false, false },
	{ "mmx_movntq", true, true },
	{ "k7_movntq", true, false },
	{ "k7_movntq_nopostfetch", true, false },
	{ "sse2_movntdq", true, true },
	{ "avx_vmovntdq", true, false },
};
#define ROSTER (sizeof(roster) / sizeof(roster[0]))

/* The published pair: one loop, with one kind of store and the other. */
enum { STOCK, NOCACHE };

static const uint32_t sizes[] = { 4096, 16384, 65536, 262144, 1048576, 4194304 };
#define SIZES         (sizeof(sizes) / sizeof(sizes[0]))
#define LEVELS_WALKED 3u
#define POINTS        (LEVELS_WALKED * SIZES)

_Static_assert(POINTS <= GRID_POINTS, "a grid has a point for each size and working set");

enum part { PART_BEFORE, PART_COPY, PART_WALK, PART_READ, PARTS };

/* Thousandths: of grid_unit() for the parts and their sum, of misses a copy. */
struct result {
	uint64_t part[PARTS], sum;
	uint64_t misses_copy, misses_all;
};
static struct result results[ROUNDS][POINTS][ROSTER];
static uint32_t rounds_done[POINTS][ROSTER];

static struct area working;   /* the working set */
static const char *no_events; /* why misses are not counted, or NULL */

/* ------------------------------------------------------------ one shot */

struct cell {
	const struct form *form;
	struct state state;
	size_t working; /* bytes */
	uint64_t ticks[PARTS][MEASURE_SAMPLES_MAX];
	uint32_t shots; /* all that were made; the last are kept */
	uint64_t misses_copy, misses_all;
};

/* Loads each line once, in order: as a program would that goes through its data. */
static size_t walk(void *unused, const void *from, size_t n)
{
	const uint8_t *p = from;
	size_t line = ring_line();
	(void)unused;
	for (size_t i = 0; i < n; i += line)
		line_load(p + i);
	return 0;
}

static void warm_code(const struct form *form)
{
	static uint8_t spare[2][WARM_BYTES];
	machine_user_access(true);
	machine_time(form->entry, spare[0], spare[1], WARM_BYTES, 1);
	machine_user_access(false);
}

/* The destination in memory, the source as it was just written, as far as it fits beside
 * the working set, and that nearest. */
static void prepare(const struct cell *c)
{
	state_set(&c->state);
	walk(NULL, c->state.from.alias, c->state.from.n);
	warm_code(c->form);
	walk(NULL, working.alias, c->working);
	walk(NULL, working.alias, c->working);
}

static uint64_t misses(void)
{
	uint64_t count = 0;
	if (!no_events && !machine_event(EVENT_LLC_MISSES, &count, &no_events))
		return 0;
	return count;
}

static uint64_t shot(void *context)
{
	struct cell *c = context;
	uint64_t ticks[PARTS], missed[3];
	size_t n = c->state.from.n;
	prepare(c);
	ticks[PART_BEFORE] = measure_once((uintptr_t)walk, NULL, working.alias, c->working);
	missed[0] = misses();
	ticks[PART_COPY] = measure_once(c->form->entry, c->state.to.base, c->state.from.base, n);
	missed[1] = misses();
	ticks[PART_WALK] = measure_once((uintptr_t)walk, NULL, working.alias, c->working);
	ticks[PART_READ] = measure_once((uintptr_t)walk, NULL, c->state.to.alias, n);
	missed[2] = misses();
	for (unsigned i = 0; i < PARTS; i++)
		c->ticks[i][c->shots % MEASURE_SAMPLES_MAX] = ticks[i];
	c->shots++;
	c->misses_copy += missed[1] - missed[0];
	c->misses_all += missed[2] - missed[0];
	return ticks[PART_COPY] + ticks[PART_WALK] + ticks[PART_READ];
}

/* ------------------------------------------------------------ the grid */

static enum cache_level level_of(unsigned point)
{
	return (enum cache_level)(point / SIZES);
}

static size_t bytes(unsigned point)
{
	return sizes[point % SIZES];
}

/* Three quarters of the cache, so that the walk itself drives nothing out. */
static size_t working_bytes(enum cache_level level)
{
	const struct cpu *cpu = identity_cpu();
	const struct cpu_cache *caches[] = { &cpu->l1d, &cpu->l2, &cpu->l3 };
	size_t most = suite_options()->level == SUITE_QUICK ? WORKING_MAX / 8 : WORKING_MAX;
	uint64_t n = caches[level]->bytes / 4 * 3;
	return n < most ? (size_t)n : most;
}

/* Under an emulator two show that it works. */
static bool is_walked(enum cache_level level)
{
	return working_bytes(level) && (level < LEVEL_L3 || suite_options()->level != SUITE_QUICK);
}

static void label(unsigned point, char *text, size_t size)
{
	format(text, size, "%zu.%s", bytes(point), level_name(level_of(point)));
}

static void keys(unsigned point, char *text, size_t size)
{
	format(text, size, "ws=%s/part=whole", level_name(level_of(point)));
}

static bool reachable(unsigned point, const char **why)
{
	enum cache_level level = level_of(point);
	size_t n = bytes(point);
	*why = NULL;
	if (suite_options()->level == SUITE_QUICK &&
	    (level == LEVEL_L3 || (n != sizes[0] && n != sizes[2])))
		return false;
	*why = "CPUID names no such cache for the working set";
	if (!is_walked(level))
		return false;
	return state_reached(LEVEL_MEMORY, sizes[0], why);
}

/* Index in the roster; ROSTER: not in it, or not in suite=quick. */
static size_t roster_index(const struct form *form)
{
	for (size_t i = 0; i < ROSTER; i++)
		if (strcmp(form->routine->name, roster[i].name) == 0 &&
		    (roster[i].quick || suite_options()->level != SUITE_QUICK))
			return i;
	return ROSTER;
}

static bool is_wanted(const struct form *form)
{
	return roster_index(form) < ROSTER;
}

/* Thousandths of ticks as thousandths of grid_unit(), by what the whole came to. */
static uint64_t scaled(uint64_t ticks, uint64_t to, const struct measured *m)
{
	return to && m->ticks ? multiply_divide(ticks, to, m->ticks) : 0;
}

static void print_part(unsigned point, const struct cell *c, const char *part, uint64_t ticks,
		       const struct measured *m)
{
	struct benchmark b = {
		.exp = NAME,
		.copy = c->form->routine->name,
		.n = bytes(point),
		.samples = m->samples,
		.ns = scaled(ticks, m->ns, m),
		.ticks = ticks,
		.cycles = scaled(ticks, m->cycles, m),
		.disturbed = m->disturbed,
	};
	record_benchmark(&b, "ws=%s/part=%s", level_name(level_of(point)), part);
}

/* The mean of the middle half, in thousandths: one shot may be a few steps of the counter,
 * but their sum is many. */
static uint64_t mean(uint64_t *ticks, size_t count)
{
	size_t first = count / 4, last = count - count / 4;
	uint64_t sum = 0;
	stats_sort(ticks, count);
	for (size_t i = first; i < last; i++)
		sum += ticks[i];
	return sum * 1000 / (last - first);
}

/* Each part by itself; so they need not add up to the whole. */
static void keep(unsigned point, struct cell *c, const struct measured *m)
{
	static const char *const names[PARTS] = { "before", "copy", "walk", "read" };
	size_t index = roster_index(c->form), kept = c->shots;
	uint32_t *round = &rounds_done[point][index];
	if (kept > MEASURE_SAMPLES_MAX)
		kept = MEASURE_SAMPLES_MAX;
	struct result r = {
		.sum = m->cycles ? m->cycles : m->ticks,
		.misses_copy = c->misses_copy * 1000 / c->shots,
		.misses_all = c->misses_all * 1000 / c->shots,
	};
	for (enum part part = PART_BEFORE; part < PARTS; part++) {
		uint64_t ticks = mean(c->ticks[part], kept);
		r.part[part] = m->cycles ? scaled(ticks, m->cycles, m) : ticks;
		if (part != PART_BEFORE)
			print_part(point, c, names[part], ticks, m);
	}
	if (*round < ROUNDS)
		results[(*round)++][point][index] = r;
}

static bool measure(unsigned point, const struct form *form, const struct area *to,
		    const struct area *from, struct measured *m, const char **why)
{
	static struct cell c;
	const size_t half = MACHINE_PAGE / 2, n = bytes(point); /* see dst-align */
	c = (struct cell){
		.form = form,
		.state = { .from = { from->base + half, from->alias + half, n, LEVEL_MEMORY,
				     false },
			   .to = { to->base, to->alias, n, LEVEL_MEMORY, false } },
		.working = working_bytes(level_of(point)),
	};
	memset(to->alias, 0, n);
	if (!measure_shots(shot, &c, CELL_MS, m, why) ||
	    !grid_same(to->alias, from->alias + half, n, why))
		return false;
	keep(point, &c, m);
	return true;
}

/* ------------------------------------------------------------ tables */

/* The median of the rounds; 0: none. */
static uint64_t over_rounds(unsigned point, size_t index, size_t offset)
{
	uint64_t figures[ROUNDS];
	uint32_t rounds = rounds_done[point][index];
	for (uint32_t i = 0; i < rounds; i++)
		figures[i] = *(const uint64_t *)((const char *)&results[i][point][index] + offset);
	stats_sort(figures, rounds);
	return rounds ? stats_median(figures, rounds) : 0;
}
#define OVER_ROUNDS(point, index, field) over_rounds(point, index, offsetof(struct result, field))

static struct fixed_text text(uint64_t figure, bool known)
{
	return known ? fixed(figure, 0) : (struct fixed_text){ "n/a" };
}

static void print_row(unsigned point, size_t index)
{
	record_text("%10zu %22s %5s %11s %11s %11s %11s %11s %9s %9s", bytes(point),
		    roster[index].name, roster[index].non_temporal ? "nt" : "",
		    text(OVER_ROUNDS(point, index, part[PART_BEFORE]), true).text,
		    text(OVER_ROUNDS(point, index, part[PART_COPY]), true).text,
		    text(OVER_ROUNDS(point, index, part[PART_WALK]), true).text,
		    text(OVER_ROUNDS(point, index, part[PART_READ]), true).text,
		    text(OVER_ROUNDS(point, index, sum), true).text,
		    text(OVER_ROUNDS(point, index, misses_copy), !no_events).text,
		    text(OVER_ROUNDS(point, index, misses_all), !no_events).text);
}

static void print_table(enum cache_level level)
{
	record_text("%s: %s a copy, with a working set of %zu bytes (%s) walked before and after; "
		    "misses of the last cache: in the copy, and in all that is summed; timing: %s",
		    NAME, grid_unit(), working_bytes(level), level_name(level),
		    identity_timing_name());
	record_text("%10s %22s %5s %11s %11s %11s %11s %11s %9s %9s", "bytes", "copy from user", "",
		    "(walk", "copy", "walk again", "read copy", "sum", "misses", "in all");
	for (unsigned i = 0; i < SIZES; i++)
		for (size_t r = 0; r < ROSTER; r++)
			if (rounds_done[level * SIZES + i][r])
				print_row(level * SIZES + (unsigned)i, r);
}

/* ------------------------------------------------------------ who wins */

struct curve {
	uint64_t at[SIZES];
};

/* The sums of the routines that `takes` says, at each size the best of them. */
static struct curve best_of(enum cache_level level, size_t offset, bool non_temporal, size_t only)
{
	struct curve best = { 0 };
	for (size_t r = 0; r < ROSTER; r++) {
		if (only < ROSTER ? r != only : roster[r].non_temporal != non_temporal)
			continue;
		for (unsigned i = 0; i < SIZES; i++) {
			uint64_t figure = over_rounds(level * SIZES + i, r, offset);
			if (figure && (!best.at[i] || figure < best.at[i]))
				best.at[i] = figure;
		}
	}
	return best;
}

/* From which size on `nt` costs less than `normal` (ROSTER: the best of the kind at each
 * size), by the copy alone and by the sum. */
static void print_winner(enum cache_level level, const char *name, size_t nt, size_t normal)
{
	const size_t by[] = { offsetof(struct result, part[PART_COPY]),
			      offsetof(struct result, sum) };
	struct threshold t[2];
	for (unsigned i = 0; i < 2; i++) {
		struct curve a = best_of(level, by[i], true, nt);
		struct curve b = best_of(level, by[i], false, normal);
		t[i] = threshold_find(sizes, a.at, b.at, SIZES);
	}
	record_text("%10s %40s %18s %18s", level_name(level), name, threshold_text(t[0]).text,
		    threshold_text(t[1]).text);
	if (nt == ROSTER)
		record_lava(LAVA_PASS, "bytes", t[1].from == SIZE_MAX ? 0 : t[1].from * 1000,
			    "%s.%s.nt_wins_from", NAME, level_name(level));
}

static void print_winners(void)
{
	record_text(
		"%s: bytes from which the copy past the cache costs less, by the copy alone and "
		"by the sum",
		NAME);
	record_text("%10s %40s %18s %18s", "working", "", "copy alone", "the sum");
	for (unsigned level = 0; level < LEVELS_WALKED; level++) {
		if (!is_walked(level))
			continue;
		print_winner(level, "nocache before int_unrolled_always", NOCACHE, STOCK);
		print_winner(level, "the best of the one kind, of the other", ROSTER, ROSTER);
	}
}

/* ------------------------------------------------------------ beside the published */

static struct fixed_text ratio(uint64_t a, uint64_t b)
{
	return b ? fixed(multiply_divide(a, 1000, b), 3) : (struct fixed_text){ "n/a" };
}

/* Where ours are 0 there is no such figure. */
static void print_published_row(const struct history *h, const char *metric, uint64_t stock,
				uint64_t nocache)
{
	struct history_field a = history_get(h, metric, "stock"),
			     b = history_get(h, metric, "nocache"),
			     unit = history_get(h, metric, "unit");
	record_text("%28s %12.*s %12.*s %8.*s %12s %12s %8s", metric, a.length, a.text, b.length,
		    b.text, unit.length, unit.text, text(stock, stock).text,
		    text(nocache, stock).text, ratio(nocache, stock).text);
}

/* Ours: the point with the largest size at the working set of L2, or what there is. */
static void print_published(void)
{
	struct history h;
	unsigned shown = POINTS;
	if (!history_open("2006-nocache", &h))
		return;
	for (unsigned point = 0; point < 2 * SIZES; point++)
		if (rounds_done[point][STOCK] && rounds_done[point][NOCACHE])
			shown = point;
	if (shown == POINTS)
		return;
	struct history_field source = history_comment(&h, 0);
	record_text(
		"%s: as published, over a whole run of iozone; ours, for one copy of %zu bytes "
		"and what comes after it, working set %s: %s, and misses where they are counted",
		NAME, bytes(shown), level_name(level_of(shown)), grid_unit());
	record_text("%.*s", source.length, source.text);
	record_text("%28s %12s %12s %8s %12s %12s %8s", "", "stock", "nocache", "unit",
		    roster[STOCK].name, roster[NOCACHE].name, "ratio");
	print_published_row(&h, "cpu_cycle_samples", OVER_ROUNDS(shown, STOCK, sum),
			    OVER_ROUNDS(shown, NOCACHE, sum));
	print_published_row(&h, "l3_miss_samples", OVER_ROUNDS(shown, STOCK, misses_all),
			    OVER_ROUNDS(shown, NOCACHE, misses_all));
	print_published_row(&h, "l3_miss_samples_in_copy", OVER_ROUNDS(shown, STOCK, misses_copy),
			    OVER_ROUNDS(shown, NOCACHE, misses_copy));
	print_published_row(&h, "iozone_cpu_time", 0, 0);
}

/* ------------------------------------------------------------ the run */

static size_t largest(void)
{
	return suite_options()->level == SUITE_QUICK ? sizes[2] : sizes[SIZES - 1];
}

static void print_all(void)
{
	for (unsigned level = 0; level < LEVELS_WALKED; level++)
		if (is_walked(level))
			print_table(level);
	if (no_events)
		record_text("%s: misses are not counted: %s", NAME, no_events);
	print_winners();
	print_published();
}

static enum experiment_result run(void)
{
	const struct grid grid = {
		.name = NAME,
		.row = "bytes.working",
		.kind = FORM_FROM_USER,
		.wanted = is_wanted,
		.own_summary = true,
		.cell_ms = CELL_MS,
		.points = POINTS,
		.area_bytes = largest() + MACHINE_PAGE,
		.bytes = bytes,
		.label = label,
		.keys = keys,
		.reachable = reachable,
		.measure = measure,
	};
	size_t most = 0;
	const char *why;
	for (unsigned level = 0; level < LEVELS_WALKED; level++)
		most = is_walked(level) && working_bytes(level) > most ? working_bytes(level)
								       : most;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, most, &working, &why))
		return experiment_skip(NAME, why);
	memset(rounds_done, 0, sizeof(rounds_done));
	no_events = NULL;
	misses();
	enum experiment_result result = grid_run(&grid);
	machine_area_unmap(&working);
	if (result == EXPERIMENT_DONE)
		print_all();
	return result;
}

EXPERIMENT(pollution, NAME, "what a copy costs those who come after it", 0, run);
