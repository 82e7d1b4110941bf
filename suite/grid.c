/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/grid.h"

#include "lib/format.h"
#include "lib/option.h"
#include "lib/random.h"
#include "lib/string.h"
#include "suite/core.h"
#include "suite/identity.h"
#include "suite/layout.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/rounds.h"
#include "suite/stats.h"
#include "suite/streams.h"
#include "suite/table.h"

#define ROUTINES 96u
#define ROUNDS   10u /* kept for the tables; more are measured and printed as lines */
#define KEYS_MAX 64u

/* Thousandths of ticks, or of core cycles where those are known; 0: no figure. */
static uint64_t results[ROUNDS][GRID_POINTS][ROUTINES];
static bool disturbed[ROUNDS][GRID_POINTS][ROUTINES];
static uint64_t streams[GRID_POINTS]; /* the slower of loads and stores alone, as results */
static const struct form *routines[ROUTINES];
static bool skipped[GRID_POINTS];
static uint32_t routine_count, rounds_kept;
static uint64_t begun; /* in ticks */
static bool in_cycles;
static bool corrupted; /* some copy was */

static bool samples_shown;

static bool set_samples(const char *value)
{
	return option_on_off(value, &samples_shown);
}
OPTION(samples, "on|off", "minimum and quartiles beside the median of each cell", set_samples);

/* ------------------------------------------------------------ what is measured */

static void choose_routines(const struct grid *g)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	routine_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct form *f = &forms[i];
		if (f->kind != g->kind || !registry_chosen(f->routine) ||
		    (g->wanted && !g->wanted(f)))
			continue;
		if (f->routine->lacks[0])
			record_text("%s: %s skipped: %s", g->name, f->routine->name,
				    f->routine->lacks);
		else if (routine_count == ROUTINES)
			record_text("%s: %s skipped: the table is full", g->name, f->routine->name);
		else
			routines[routine_count++] = f;
	}
}

/* Whether there is any; if not, *none says why the last is none. */
static bool choose_points(const struct grid *g, const char **none)
{
	char label[KEYS_MAX];
	const char *why;
	bool any = false;
	for (unsigned point = 0; point < g->points; point++) {
		skipped[point] = !g->reachable(point, &why);
		any |= !skipped[point];
		if (!skipped[point] || !why)
			continue;
		*none = why;
		g->label(point, label, sizeof(label));
		record_text("%s: %s %s skipped: %s", g->name, g->row, label, why);
	}
	return any;
}

static bool fits(const struct form *f, size_t n)
{
	return n >= f->minimum && n % f->alignment == 0;
}

/* Keeps those of routines[], in their order, that are marked. */
static void keep_routines(const bool *kept)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < routine_count; i++)
		if (kept[i])
			routines[count++] = routines[i];
	routine_count = count;
}

/*
 * Where the whole grid would cost more than the cap: as many routines as it allows, by chance,
 * so that those which are in the tables can be compared at every point. Those that save the
 * FPU's state come last, since they are others' twins.
 */
static void sample_routines(const struct grid *g, struct random *r)
{
	uint32_t order[ROUTINES], each = 0, left;
	bool kept[ROUTINES] = { false };
	for (unsigned point = 0; point < g->points; point++)
		each += skipped[point] ? 0 : g->cell_ms * suite_options()->rounds;
	if (!rounds_cap() || (uint64_t)routine_count * each <= rounds_cap())
		return;
	left = each < rounds_cap() ? (uint32_t)(rounds_cap() / each) : 1;
	record_text(
		"%s: sampled: %u of %u routines are measured; copy= chooses, suite=full takes all",
		g->name, (unsigned)left, (unsigned)routine_count);
	stats_shuffle(r, order, routine_count);
	for (unsigned saved = 0; saved < 2; saved++)
		for (uint32_t i = 0; i < routine_count && left; i++)
			if (routines[order[i]]->routine->saved == saved) {
				kept[order[i]] = true;
				left--;
			}
	keep_routines(kept);
}

/* ------------------------------------------------------------ measuring */

static void print_cell(const struct grid *g, const struct form *form, unsigned point,
		       const struct measured *m)
{
	char keys[KEYS_MAX];
	struct benchmark b = {
		.exp = g->name,
		.copy = form->routine->name,
		.n = g->bytes(point),
		.samples = m->samples,
		.ns = m->ns,
		.ticks = m->ticks,
		.cycles = m->cycles,
		.ci = m->spread,
		.disturbed = m->disturbed,
	};
	g->keys(point, keys, sizeof(keys));
	record_benchmark(&b, "%s", keys);
	if (samples_shown)
		record_text("%s: its %u samples in ticks: minimum %s, quartiles %s and %s", g->name,
			    (unsigned)m->samples, fixed(m->minimum, 1).text,
			    fixed(m->quartile[0], 1).text, fixed(m->quartile[1], 1).text);
}

/* The first round is over, and this cell did badly in it. The second fastest is the
 * measure, since one figure alone may be wrong. */
static bool is_hopeless(unsigned point, uint32_t routine)
{
	uint64_t best = UINT64_MAX, second = UINT64_MAX;
	for (uint32_t r = 0; r < routine_count; r++) {
		uint64_t figure = results[0][point][r];
		if (figure && figure < best) {
			second = best;
			best = figure;
		} else if (figure && figure < second) {
			second = figure;
		}
	}
	return results[0][point][routine] / 2 > second;
}

struct round {
	const struct grid *g;
	uint32_t number;
	const struct area *to, *from;
};

static bool measure_cell(uint32_t cell, void *context)
{
	const struct round *round = context;
	const struct grid *g = round->g;
	unsigned point = cell / routine_count;
	uint32_t routine = cell % routine_count;
	const struct form *form = routines[routine];
	struct measured m;
	const char *why;
	char label[KEYS_MAX];
	if (skipped[point] || !fits(form, g->bytes(point)) ||
	    (g->best_only && round->number && is_hopeless(point, routine)))
		return true;
	if (!g->measure(point, form, round->to, round->from, &m, &why)) {
		if (why == measure_later)
			return false;
		g->label(point, label, sizeof(label));
		record_text("%s: %s at %s %s: no figure: %s", g->name, form->routine->name, g->row,
			    label, why);
		return true;
	}
	print_cell(g, form, point, &m);
	if (round->number < ROUNDS) {
		results[round->number][point][routine] = in_cycles ? m.cycles : m.ticks;
		disturbed[round->number][point][routine] = m.disturbed;
	}
	return true;
}

static bool measure_round(const struct grid *g, uint32_t number, struct random *r, struct area *to,
			  struct area *from)
{
	static uint32_t order[GRID_POINTS * ROUTINES];
	struct round round = { g, number, to, from };
	const char *why;
	if (!machine_area_renew(to, &why) || !machine_area_renew(from, &why)) {
		record_text("%s: round %u: no new pages: %s", g->name, (unsigned)number + 1, why);
		return false;
	}
	memset(to->alias, 0, to->size);
	for (size_t i = 0; i < from->size; i++)
		from->alias[i] = (uint8_t)i;
	rounds_visit(order, g->points * routine_count, r, begun, measure_cell, &round);
	return true;
}

static bool streams_known(const struct grid *g)
{
	return g->kind == FORM_PLAIN && core_known();
}

/* The faster of two tries: what can be reached. */
static uint64_t measure_stream(const struct grid *g, unsigned point, enum stream stream,
			       const struct area *to, const struct area *from)
{
	const struct form *form = stream_form(stream);
	struct measured m;
	const char *why;
	uint64_t best = 0;
	if (!form || !fits(form, g->bytes(point)))
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		if (!g->measure(point, form, to, from, &m, &why))
			return 0;
		uint64_t figure = in_cycles ? m.cycles : m.ticks;
		best = !best || figure < best ? figure : best;
	}
	return best;
}

static void measure_streams(const struct grid *g, const struct area *to, const struct area *from)
{
	if (rounds_over(begun))
		measure_turn(MEASURE_NOW);
	for (unsigned point = 0; point < g->points; point++) {
		streams[point] = 0;
		if (skipped[point] || !streams_known(g))
			continue;
		uint64_t read = measure_stream(g, point, STREAM_READ, to, from);
		uint64_t write = measure_stream(g, point, STREAM_WRITE, to, from);
		if (read && write)
			streams[point] = read > write ? read : write;
	}
	measure_turn(MEASURE_ALONE);
}

static bool measure_all(const struct grid *g)
{
	struct random r = random_seeded(suite_options()->seed);
	uint32_t rounds = suite_options()->rounds;
	bool destination_is_user = g->kind == FORM_TO_USER || g->kind == FORM_IN_USER;
	bool source_is_user = g->kind != FORM_PLAIN && g->kind != FORM_TO_USER;
	struct area to, from;
	const char *why;
	bool done = true;
	if (!machine_area_map(destination_is_user ? AREA_USER : AREA_KERNEL, ACCESS_READ_WRITE,
			      g->area_bytes, &to, &why)) {
		record_text("%s: no memory for it: %s", g->name, why);
		return false;
	}
	if (!machine_area_map(source_is_user ? AREA_USER : AREA_KERNEL, ACCESS_READ_WRITE,
			      g->area_bytes, &from, &why)) {
		record_text("%s: no memory for it: %s", g->name, why);
		machine_area_unmap(&to);
		return false;
	}
	rounds_kept = rounds < ROUNDS ? rounds : ROUNDS;
	sample_routines(g, &r);
	memset(results, 0, sizeof(results));
	for (uint32_t round = 0; round < rounds && done; round++)
		done = measure_round(g, round, &r, &to, &from);
	if (done)
		measure_streams(g, &to, &from);
	machine_area_unmap(&to);
	machine_area_unmap(&from);
	return done;
}

/* ------------------------------------------------------------ tables */

/* Over the rounds, without those that were disturbed where others were not; all 0 where one has
 * no figure. */
struct summary {
	uint64_t median, low, high;
};

static struct summary summarise(unsigned point, uint32_t routine)
{
	uint64_t figures[ROUNDS], all[ROUNDS];
	uint32_t count = 0;
	for (uint32_t i = 0; i < rounds_kept; i++) {
		all[i] = results[i][point][routine];
		if (!all[i])
			return (struct summary){ 0 };
		if (!disturbed[i][point][routine])
			figures[count++] = all[i];
	}
	if (!count) {
		count = rounds_kept;
		memcpy(figures, all, count * sizeof(figures[0]));
	}
	stats_sort(figures, count);
	return (struct summary){ stats_median(figures, count), figures[0], figures[count - 1] };
}

static uint64_t spread(struct summary s)
{
	return stats_spread(s.low, s.high, s.median);
}

/* Bytes for each cycle (or tick): what a table compares. */
static struct fixed_text rate(const struct grid *g, unsigned point, uint64_t figure)
{
	if (!figure)
		return (struct fixed_text){ "n/a" };
	return fixed((uint64_t)g->bytes(point) * 1000000 / figure, 2);
}

#define LABEL_WIDTH  18u
#define FIGURE_WIDTH 7u

static void print_row(const struct grid *g, struct table *t, unsigned point, uint32_t first,
		      uint32_t end, bool spreads)
{
	char label[KEYS_MAX];
	g->label(point, label, sizeof(label));
	table_row(t, label);
	if (streams_known(g) && !spreads)
		table_field(t, "%s", rate(g, point, streams[point]).text);
	for (uint32_t r = first; r < end; r++) {
		struct summary s = summarise(point, r);
		if (spreads && s.median)
			table_field(t, "%s", fixed(spread(s), 1).text);
		else
			table_field(t, "%s", rate(g, point, s.median).text);
	}
}

/* As many routines from `first` on as fit; the one after them. */
static uint32_t print_part(const struct grid *g, uint32_t first, bool spreads)
{
	struct table t;
	uint32_t end = first;
	record_block(g->points + 1);
	table_start(&t, g->row, LABEL_WIDTH);
	if (streams_known(g) && !spreads)
		table_column(&t, "streams", FIGURE_WIDTH);
	while (end < routine_count && table_column(&t, routines[end]->routine->name, FIGURE_WIDTH))
		end++;
	for (unsigned point = 0; point < g->points; point++)
		if (!skipped[point])
			print_row(g, &t, point, first, end, spreads);
	table_end(&t);
	return end;
}

static void print_table(const struct grid *g, bool spreads)
{
	for (uint32_t first = 0; first < routine_count;)
		first = print_part(g, first, spreads);
}

/* ------------------------------------------------------------ who is fastest */

/* Whether `other` may be as fast as `best`: the rounds of the two overlap, or layout
 * alone makes as much of a difference to one of them. */
static bool tied(unsigned point, uint32_t best, uint32_t other)
{
	struct summary a = summarise(point, best), b = summarise(point, other);
	uint64_t lead = stats_spread(a.median, b.median, a.median);
	uint64_t one = layout_effect(routines[best]), two = layout_effect(routines[other]);
	return b.low <= a.high || lead <= (one > two ? one : two);
}

static void print_fastest(const struct grid *g, unsigned point)
{
	char label[KEYS_MAX], line[RECORD_LINE_MAX];
	uint32_t best = routine_count;
	for (uint32_t r = 0; r < routine_count; r++) {
		uint64_t median = summarise(point, r).median;
		if (median && (best == routine_count || median < summarise(point, best).median))
			best = r;
	}
	if (best == routine_count)
		return;
	g->label(point, label, sizeof(label));
	uint64_t figure = summarise(point, best).median;
	int at = format(line, sizeof(line), "%s: fastest at %s %s: %s (%s bytes/%s", g->name,
			g->row, label, routines[best]->routine->name, rate(g, point, figure).text,
			in_cycles ? "cycle" : "tick");
	if (streams[point])
		at += format(line + at, sizeof(line) - (size_t)at, ", %u %% of the streams",
			     (unsigned)(streams[point] * 100 / figure));
	at += format(line + at, sizeof(line) - (size_t)at, ")");
	for (uint32_t r = 0; r < routine_count && at < (int)sizeof(line) - 32; r++)
		if (r != best && summarise(point, r).median && tied(point, best, r))
			at += format(line + at, sizeof(line) - (size_t)at, "%s%s",
				     strchr(line, '=') ? ", " : " = ", routines[r]->routine->name);
	record_text("%s", line);
	record_lava(LAVA_PASS, grid_unit(), figure, "%s.%s.%s", g->name, label,
		    routines[best]->routine->name);
}

bool grid_same(const uint8_t *to, const uint8_t *from, size_t n, const char **why)
{
	*why = "the copy is not like its source";
	if (memcmp(to, from, n) == 0)
		return true;
	corrupted = true;
	return false;
}

uint64_t grid_figure(unsigned point, const struct form *form)
{
	for (uint32_t r = 0; r < routine_count; r++)
		if (routines[r] == form)
			return summarise(point, r).median;
	return 0;
}

const char *grid_unit(void)
{
	return in_cycles ? "cycles" : "ticks";
}

enum experiment_result grid_run(const struct grid *g)
{
	const char *none = "no routine to measure";
	choose_routines(g);
	if (!routine_count || !choose_points(g, &none))
		return experiment_skip(g->name, none);
	begun = machine_ticks();
	in_cycles = core_known();
	corrupted = false;
	if (!measure_all(g) || corrupted)
		return EXPERIMENT_DIED;
	record_text("%s: bytes/%s, median of %u rounds, each with new pages%s; timing: %s", g->name,
		    in_cycles ? "core cycle" : "tick", (unsigned)rounds_kept,
		    streams_known(g)
			    ? "; streams: the slower of vector loads alone and stores alone"
			    : "",
		    identity_timing_name());
	print_table(g, false);
	if (rounds_kept > 1) {
		record_text("%s: spread between the rounds (largest less smallest) in %%", g->name);
		print_table(g, true);
	}
	if (rounds_over(begun))
		measure_turn(MEASURE_NOW); /* what layout makes of the fastest */
	for (unsigned point = 0; point < g->points; point++)
		if (!skipped[point] && !g->own_summary)
			print_fastest(g, point);
	measure_turn(MEASURE_ALONE);
	return EXPERIMENT_DONE;
}
