/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pentium 4, October 2002: what a misaligned destination costs, and a misaligned source.
 * Kernel memory is copied to user memory, as a read from the page cache does; one side
 * lies some bytes after a page boundary. With the other on a page boundary, the low 12
 * bits of the addresses nearly agree, which slows some CPUs down for a reason of its own
 * (stores are taken for the loads after them); so it is measured half a page off as well.
 */
#include "lib/format.h"
#include "lib/random.h"
#include "lib/string.h"
#include "suite/experiment.h"
#include "suite/history/history.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/measure.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/registry.h"
#include "suite/rounds.h"
#include "suite/stats.h"
#include "suite/table.h"

#define COPY_BYTES 8192u
#define ROUTINES   128u
#define ROUNDS     10u /* kept for the tables; more are measured and printed as lines */

static const uint8_t offsets[] = { 0, 1, 2, 4, 8, 12, 16, 32 };
#define OFFSETS (sizeof(offsets) / sizeof(offsets[0]))

/* Where in its page the side starts that is not misaligned. */
static const uint16_t bases[] = { 0, MACHINE_PAGE / 2 };
#define BASES (sizeof(bases) / sizeof(bases[0]))

struct aligned_side {
	const char *name, *history;
	const char *key;    /* of the misaligned side, as the tables call it */
	const char *layout; /* in words; %u: where the other side starts */
	bool destination;
};

static const struct aligned_side destination_side = {
	.name = "dst-align",
	.history = "2002-p4-dst-alignment",
	.key = "dst",
	.layout = "destination dst bytes after a page boundary, source %u after one",
	.destination = true,
};

static const struct aligned_side source_side = {
	.name = "src-align",
	.history = "2002-p4-src-alignment",
	.key = "src",
	.layout = "source src bytes after a page boundary, destination %u after one",
};

/* The experiment that runs. */
static const struct aligned_side *side;
static uint64_t begun; /* in ticks */

struct result {
	uint64_t ticks;  /* thousandths; 0: none */
	uint32_t spread; /* of the interval, thousandths of a percent */
	bool disturbed;
};

/* Our routine for each published column. */
static const struct {
	const char *routine, *column;
} published[] = {
	{ "rep_movsl", "rep_movsl" },
	{ "int_unrolled", "int_unless_8aligned" },
	{ "int_unrolled_always", "int_always" },
};
#define PUBLISHED (sizeof(published) / sizeof(published[0]))

static const struct form *routines[ROUTINES];
static uint32_t routine_count, base_count, rounds_kept;
static struct result results[ROUNDS][ROUTINES][BASES][OFFSETS];

static struct history history;

/* ------------------------------------------------------------ measuring */

/* Of the published table: NULL where it has none for this routine. */
static const char *published_column(const struct form *f)
{
	for (size_t i = 0; i < PUBLISHED; i++)
		if (strcmp(published[i].routine, f->routine->name) == 0 &&
		    history_get(&history, "0", published[i].column).length)
			return published[i].column;
	return NULL;
}

/* In suite=quick one of the two experiments shows all routines, each once: bare. */
static bool is_wanted(const struct form *f)
{
	if (f->kind != FORM_TO_USER || !registry_chosen(f->routine))
		return false;
	if (suite_options()->level != SUITE_QUICK || published_column(f))
		return true;
	return side->destination && (!f->routine->saved || !registry_all());
}

static void choose_routines(void)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	routine_count = 0;
	if (suite_options()->level == SUITE_QUICK)
		record_text("%s: suite=quick takes %s; suite=standard takes all", side->name,
			    !side->destination ? "the routines that were published"
			    : registry_all()   ? "the copies that save no FPU state"
					       : "what copy= names");
	for (size_t i = 0; i < count; i++) {
		const struct form *f = &forms[i];
		if (!is_wanted(f))
			continue;
		if (f->routine->lacks[0] || f->alignment > 1)
			record_text("%s: %s skipped: %s", side->name, f->routine->name,
				    f->routine->lacks[0] ? f->routine->lacks
							 : "takes aligned buffers only");
		else if (routine_count == ROUTINES)
			record_text("%s: %s skipped: the table is full", side->name,
				    f->routine->name);
		else
			routines[routine_count++] = f;
	}
}

struct place {
	uint32_t dst, src; /* bytes after a page boundary */
};

static struct place place_of(uint32_t offset, uint32_t base)
{
	return side->destination ? (struct place){ offsets[offset], bases[base] }
				 : (struct place){ bases[base], offsets[offset] };
}

static void print_cell(const struct form *form, const struct place *at, const struct measured *m)
{
	struct benchmark b = {
		.exp = side->name,
		.copy = form->routine->name,
		.n = COPY_BYTES,
		.samples = m->samples,
		.ns = m->ns,
		.ticks = m->ticks,
		.cycles = m->cycles,
		.ci = m->spread,
		.disturbed = m->disturbed,
	};
	record_benchmark(&b, "dst=%u/src=%u", (unsigned)at->dst, (unsigned)at->src);
}

struct round {
	uint32_t number;
	const struct area *to, *from;
};

static bool measure_cell(uint32_t cell, void *context)
{
	const struct round *round = context;
	uint32_t offset = cell % OFFSETS, base = cell / OFFSETS % base_count;
	uint32_t routine = cell / OFFSETS / base_count;
	const struct form *form = routines[routine];
	struct place at = place_of(offset, base);
	struct result result = { 0 };
	struct measured m;
	const char *why;
	if (measure_hot(form->entry, round->to->base + at.dst, round->from->base + at.src,
			COPY_BYTES, &m, &why)) {
		print_cell(form, &at, &m);
		result = (struct result){ m.ticks, (uint32_t)m.spread, m.disturbed };
	} else if (why == measure_later) {
		return false;
	} else {
		record_text("%s: %s dst=%u src=%u: no figure: %s", side->name, form->routine->name,
			    (unsigned)at.dst, (unsigned)at.src, why);
	}
	if (round->number < ROUNDS)
		results[round->number][routine][base][offset] = result;
	return true;
}

static bool measure_round(uint32_t number, struct random *r, struct area *to, struct area *from)
{
	static uint32_t order[ROUTINES * BASES * OFFSETS];
	struct round round = { number, to, from };
	const char *why;
	if (!machine_area_renew(to, &why) || !machine_area_renew(from, &why)) {
		record_text("%s: round %u: no new pages: %s", side->name, (unsigned)number + 1,
			    why);
		return false;
	}
	memset(to->alias, 0, to->size);
	for (size_t i = 0; i < from->size; i++)
		from->alias[i] = (uint8_t)i;
	rounds_visit(order, routine_count * base_count * OFFSETS, r, begun, measure_cell, &round);
	return true;
}

/* ------------------------------------------------------------ the tables */

/* In the published shape: a line an offset, a column a routine. */
struct column {
	uint32_t routine;      /* index into routines[], or PUBLISHED_COLUMN */
	const char *published; /* the column of the published table */
};
#define PUBLISHED_COLUMN UINT32_MAX
#define FIGURE_WIDTH     10u
#define SPREAD_WIDTH     20u

static bool clock_known;
static uint32_t base_shown;

static const struct result *get_result(uint32_t round, uint32_t routine, uint32_t offset)
{
	return &results[round][routine][base_shown][offset];
}

/* Median, least and most ticks over the rounds, in thousandths; all 0 where a round has
 * no figure. */
struct summary {
	uint64_t median, low, high;
};

/* Of the rounds that were not disturbed, where there are any. */
static struct summary summarise(uint32_t routine, uint32_t offset)
{
	uint64_t ticks[ROUNDS];
	uint32_t count = 0, disturbed = 0;
	for (uint32_t i = 0; i < rounds_kept; i++)
		disturbed += get_result(i, routine, offset)->disturbed;
	for (uint32_t i = 0; i < rounds_kept; i++) {
		const struct result *r = get_result(i, routine, offset);
		if (!r->ticks)
			return (struct summary){ 0 };
		if (!r->disturbed || disturbed == rounds_kept)
			ticks[count++] = r->ticks;
	}
	stats_sort(ticks, count);
	return (struct summary){ stats_median(ticks, count), ticks[0], ticks[count - 1] };
}

/* One cell of a table into text[CELL_MAX]. */
#define CELL_MAX 32
typedef void print_cell_text(char *text, const struct column *c, uint32_t offset);

static void print_title(char *text, const struct column *c, uint32_t offset)
{
	(void)offset;
	format(text, CELL_MAX, "%s",
	       c->routine == PUBLISHED_COLUMN ? c->published : routines[c->routine]->routine->name);
}

static void print_figure(char *text, const struct column *c, uint32_t offset)
{
	char key[8];
	if (c->routine == PUBLISHED_COLUMN) {
		format(key, sizeof(key), "%u", (unsigned)offsets[offset]);
		struct history_field f = history_get(&history, key, c->published);
		format(text, CELL_MAX, "%.*s", f.length, f.text);
		return;
	}
	uint64_t ticks = summarise(c->routine, offset).median;
	struct fixed_text figure =
		clock_known ? fixed(measure_kilobytes(COPY_BYTES, ticks), 0) : fixed(ticks, 1);
	format(text, CELL_MAX, "%s", ticks ? figure.text : "n/a");
}

/* Between the runs, and within each of the first three. */
static void print_spread(char *text, const struct column *c, uint32_t offset)
{
	struct summary s = summarise(c->routine, offset);
	int at = format(text, CELL_MAX,
			"%s :", fixed(stats_spread(s.low, s.high, s.median), 1).text);
	for (uint32_t i = 0; i < rounds_kept && i < 3; i++)
		at += format(text + at, at < CELL_MAX ? CELL_MAX - (size_t)at : 0, " %s",
			     fixed(get_result(i, c->routine, offset)->spread, 1).text);
}

/* As many of the columns as fit side by side; how many did. */
static uint32_t print_table(const struct column *columns, uint32_t count, print_cell_text *print)
{
	char text[CELL_MAX];
	struct table t;
	uint32_t end = 0;
	record_block(OFFSETS + 1);
	table_start(&t, side->key, 5);
	for (; end < count; end++) {
		print_title(text, &columns[end], 0);
		if (!table_column(&t, text, print == print_spread ? SPREAD_WIDTH : FIGURE_WIDTH))
			break;
	}
	for (uint32_t offset = 0; offset < OFFSETS; offset++) {
		format(text, sizeof(text), "%u", (unsigned)offsets[offset]);
		table_row(&t, text);
		for (uint32_t i = 0; i < end; i++) {
			print(text, &columns[i], offset);
			table_field(&t, "%s", text);
		}
	}
	table_end(&t);
	return end;
}

/* The routines that were published, in that order, then the others. */
static void order_columns(struct column *columns, uint32_t *then)
{
	bool placed[ROUTINES] = { false };
	uint32_t count = 0;
	for (size_t i = 0; i < PUBLISHED; i++)
		for (uint32_t r = 0; r < routine_count; r++)
			if (published_column(routines[r]) == published[i].column) {
				columns[count++] = (struct column){ r, published[i].column };
				placed[r] = true;
			}
	*then = count;
	for (uint32_t r = 0; r < routine_count; r++)
		if (!placed[r])
			columns[count++] = (struct column){ r, NULL };
}

/* Columns that were published stand beside ours. */
static void print_first_table(const struct column *ours, uint32_t count)
{
	struct column columns[2 * PUBLISHED];
	for (uint32_t i = 0; i < count; i++) {
		columns[i] = ours[i];
		columns[count + i] = (struct column){ PUBLISHED_COLUMN, ours[i].published };
	}
	print_table(columns, 2 * count, print_figure);
}

static void print_others(const struct column *columns, uint32_t count, print_cell_text *print)
{
	for (uint32_t i = 0; i < count;)
		i += print_table(columns + i, count - i, print);
}

static void print_tables(void)
{
	static struct column columns[ROUTINES];
	uint32_t then;
	order_columns(columns, &then);
	char layout[96];
	format(layout, sizeof(layout), side->layout, (unsigned)bases[base_shown]);
	record_text("%s: %u bytes to user memory, %s; hot cache; timing: %s", side->name,
		    COPY_BYTES, layout, identity_timing_name());
	record_text("%s, median of %u runs, each with new pages",
		    clock_known ? "KB/s (1,000 bytes)" : "ticks a copy (the clock is not known)",
		    (unsigned)rounds_kept);
	if (then && bases[base_shown] == 0) {
		struct history_field source = history_comment(&history, 0);
		record_text("the last columns as published: %.*s", source.length, source.text);
		print_first_table(columns, then);
	} else {
		then = 0;
	}
	print_others(columns + then, routine_count - then, print_figure);
	record_text("spread in %%: between the runs (largest less smallest) : 95 %% interval of "
		    "each of the first three");
	print_others(columns, routine_count, print_spread);
}

/* Two lines for each published routine, of the first table: the aligned case and the
 * slowest. */
static void print_lava(void)
{
	base_shown = 0;
	for (uint32_t r = 0; r < routine_count; r++) {
		uint32_t worst = 0;
		if (!published_column(routines[r]))
			continue;
		for (uint32_t i = 1; i < OFFSETS; i++)
			if (summarise(r, i).median > summarise(r, worst).median)
				worst = i;
		for (uint32_t i = 0; i <= worst; i += worst ? worst : 1) {
			uint64_t ticks = summarise(r, i).median;
			record_lava(
				ticks ? LAVA_PASS : LAVA_UNKNOWN, clock_known ? "MB/s" : "ticks",
				clock_known ? measure_kilobytes(COPY_BYTES, ticks) / 1000 : ticks,
				"%s.%s.%u.%u", side->name, routines[r]->routine->name, COPY_BYTES,
				(unsigned)offsets[i]);
		}
	}
}

static bool measure_all(struct area *to, struct area *from)
{
	struct random r = random_seeded(suite_options()->seed);
	uint32_t rounds = suite_options()->rounds;
	rounds_kept = rounds < ROUNDS ? rounds : ROUNDS;
	begun = machine_ticks();
	for (uint32_t round = 0; round < rounds; round++)
		if (!measure_round(round, &r, to, from))
			return false;
	return true;
}

static enum experiment_result run(const struct aligned_side *misaligned)
{
	struct area to, from;
	const char *why;
	side = misaligned;
	if (!history_open(side->history, &history))
		return EXPERIMENT_DIED;
	choose_routines();
	if (!routine_count)
		return experiment_skip(side->name, "no routine to measure");
	if (!machine_area_map(AREA_USER, ACCESS_READ_WRITE, COPY_BYTES + MACHINE_PAGE, &to, &why) ||
	    !machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, COPY_BYTES + MACHINE_PAGE, &from,
			      &why)) {
		record_text("%s: no memory for it: %s", side->name, why);
		return EXPERIMENT_DIED;
	}
	base_count = suite_options()->level == SUITE_QUICK ? 1 : BASES;
	clock_known = machine_clock()->tsc_hz != 0;
	bool done = measure_all(&to, &from);
	if (done) {
		for (base_shown = 0; base_shown < base_count; base_shown++)
			print_tables();
		print_lava();
	}
	machine_area_unmap(&to);
	machine_area_unmap(&from);
	return done ? EXPERIMENT_DONE : EXPERIMENT_DIED;
}

static enum experiment_result run_destination(void)
{
	return run(&destination_side);
}
EXPERIMENT(dst_align, "dst-align", "throughput against the alignment of the destination", 0,
	   run_destination);

static enum experiment_result run_source(void)
{
	return run(&source_side);
}
EXPERIMENT(src_align, "src-align", "throughput against the alignment of the source", 0, run_source);
