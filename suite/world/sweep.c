/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/world/sweep.h"

#include "lib/format.h"
#include "lib/frequency.h"
#include "lib/random.h"
#include "lib/string.h"
#include "suite/history/history.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/registry.h"
#include "suite/stats.h"
#include "suite/table.h"

#define PARTS    2u
#define ROUTINES 128u
#define OFFSETS  33u
#define ROUNDS   10u /* kept for the tables; more are measured and printed as lines */

/* Under an emulator, and in suite=quick. */
#define FILE_EMULATED_QUICK ((size_t)512 << 10)
#define FILE_EMULATED       ((size_t)8 << 20)
#define FILE_QUICK          ((size_t)64 << 20)

static const uint8_t few_offsets[] = { 0, 1, 2, 3, 4, 8, 16, 32 };
#define FEW_OFFSETS   sizeof(few_offsets)
#define OTHER_OFFSETS 2u /* for routines that were not published: aligned, and not */

/* A routine with what a kernel needs of it. */
struct way {
	const struct routine *routine;
	struct user_copy copy;
};

static const struct sweep *sweep;
static struct way ways[ROUTINES]; /* the published ones first, in the order of the columns */
static uint32_t way_count, published_count, rounds_kept;
static uint64_t results[ROUNDS][PARTS][ROUTINES][OFFSETS]; /* ticks, thousandths; 0: none */
static uint8_t offsets[OFFSETS];
static uint32_t offset_count;
static size_t file_bytes;

static bool quick(void)
{
	return suite_options()->level == SUITE_QUICK;
}

static bool emulated(void)
{
	return identity_timing() == TIMING_EMULATED;
}

/* ------------------------------------------------------------ what is measured */

/* A from_user form, or the one that zeroes as well: it is never seen to here. */
static bool find_way(const struct routine *routine, struct way *way)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	*way = (struct way){ .routine = routine };
	for (size_t i = 0; i < count; i++) {
		const struct form *f = &forms[i];
		if (f->routine != routine || f->alignment > 1 || f->minimum > 1)
			continue;
		if (f->kind == FORM_TO_USER)
			way->copy.to_user = (copy_function *)f->entry;
		else if (f->kind == FORM_FROM_USER ||
			 (f->kind == FORM_FROM_USER_ZERO && !way->copy.from_user))
			way->copy.from_user = (copy_function *)f->entry;
	}
	return way->copy.to_user && way->copy.from_user;
}

static bool is_published(const char *name)
{
	const struct sweep_part *part = &sweep->parts[0];
	for (unsigned i = 0; i < part->column_count; i++)
		if (strcmp(part->columns[i].routine, name) == 0)
			return true;
	return false;
}

static void add_way(const struct routine *routine)
{
	if (!registry_chosen(routine))
		return;
	if (routine->lacks[0])
		record_text("%s: %s skipped: %s", sweep->name, routine->name, routine->lacks);
	else if (way_count == ROUTINES)
		record_text("%s: %s skipped: the table is full", sweep->name, routine->name);
	else if (find_way(routine, &ways[way_count]))
		way_count++;
	else
		record_text("%s: %s skipped: not both ways, or not for every buffer", sweep->name,
			    routine->name);
}

static void choose_ways(void)
{
	const struct sweep_part *part = &sweep->parts[0];
	const struct routine *routines;
	size_t count = registry_routines(&routines);
	way_count = 0;
	for (unsigned c = 0; c < part->column_count; c++)
		for (size_t i = 0; i < count; i++)
			if (strcmp(routines[i].name, part->columns[c].routine) == 0)
				add_way(&routines[i]);
	published_count = way_count;
	if (quick() || (!sweep->others && suite_options()->level != SUITE_FULL))
		return;
	for (size_t i = 0; i < count; i++)
		if (!is_published(routines[i].name))
			add_way(&routines[i]);
}

static void choose_offsets(void)
{
	bool all = suite_options()->level == SUITE_FULL || (sweep->dense && !quick());
	offset_count = all ? OFFSETS : FEW_OFFSETS;
	for (uint32_t i = 0; i < offset_count; i++)
		offsets[i] = all ? (uint8_t)i : few_offsets[i];
}

/* Three quarters of the memory at most; and a multiple of two pages, for its halves. */
static void choose_file(void)
{
	size_t most = machine_pages_left() / 4 * 3, wanted = sweep->file_bytes;
	size_t limit = !emulated() ? (quick() ? FILE_QUICK : wanted)
		       : quick()   ? FILE_EMULATED_QUICK
				   : FILE_EMULATED;
	file_bytes = wanted < limit ? wanted : limit;
	if (file_bytes / MACHINE_PAGE > most)
		file_bytes = most * MACHINE_PAGE;
	file_bytes &= ~(size_t)(2 * MACHINE_PAGE - 1);
	if (file_bytes < wanted)
		record_text("%s: scaled: a file of %llu KiB in place of %s, since %s", sweep->name,
			    (unsigned long long)file_bytes >> 10, sweep->file_said,
			    emulated() ? "time is emulated"
			    : quick()  ? "this is suite=quick"
				       : "three quarters of the memory are less");
}

/* ------------------------------------------------------------ measuring */

static struct world_job make_job(const struct sweep_part *part, const struct way *way,
				 unsigned offset)
{
	size_t half = file_bytes / 2;
	bool halves = sweep->part_count > 1 && sweep->parts[1].second_half;
	return (struct world_job){
		.entry = machine_user_entry(0),
		.program = part->program,
		.copy = way->copy,
		.buffer_offset = part->moves_file ? 0 : offset,
		.file_offset = part->moves_file ? offset : 0,
		.calls = emulated() ? 4 : 64,
		.start = part->second_half ? half : 0,
		.size = halves ? half : file_bytes,
	};
}

static void print_cell(const struct sweep_part *part, const struct way *way, unsigned offset,
		       const struct measured *m)
{
	struct benchmark b = {
		.exp = sweep->name,
		.copy = way->routine->name,
		.n = (uint64_t)part->counted * WORLD_CHUNK,
		.samples = m->samples,
		.ns = m->ns,
		.ticks = m->ticks,
		.cycles = m->cycles,
		.ci = m->spread,
		.disturbed = m->disturbed,
	};
	record_benchmark(&b, part->keys, offset);
}

/* The routines that were not published are many: but in suite=full they are measured at
 * the first offsets only, and once. */
static bool has_cell(uint32_t w, uint32_t offset, uint32_t round)
{
	return w < published_count || suite_options()->level == SUITE_FULL ||
	       (offset < OTHER_OFFSETS && round == 0);
}

static void measure_cell(uint32_t cell, uint32_t round)
{
	uint32_t offset = cell % offset_count, w = cell / offset_count % way_count;
	uint32_t p = cell / offset_count / way_count;
	const struct sweep_part *part = &sweep->parts[p];
	struct world_job job = make_job(part, &ways[w], offsets[offset]);
	struct measured m = { 0 };
	const char *why;
	if (!has_cell(w, offset, round))
		return;
	bool measured = world_measure(&job, quick() ? 2 : 5, &m, &why);
	if (measured)
		print_cell(part, &ways[w], offsets[offset], &m);
	if (round < ROUNDS)
		results[round][p][w][offset] = m.ticks;
	if (!measured || !world_check(&job, &why))
		record_text("%s: %s, %s %u: %s", sweep->name, ways[w].routine->name, part->row,
			    (unsigned)offsets[offset], why);
}

static bool measure_all(void)
{
	static uint32_t order[PARTS * ROUTINES * OFFSETS];
	struct random r = random_seeded(suite_options()->seed);
	uint32_t rounds = suite_options()->rounds;
	uint32_t cells = sweep->part_count * way_count * offset_count;
	const char *why;
	rounds_kept = rounds < ROUNDS ? rounds : ROUNDS;
	memset(results, 0, sizeof(results));
	for (uint32_t round = 0; round < rounds; round++) {
		if (!world_renew(&why)) {
			record_text("%s: round %u: no new pages: %s", sweep->name,
				    (unsigned)round + 1, why);
			return false;
		}
		stats_shuffle(&r, order, cells);
		for (uint32_t i = 0; i < cells; i++)
			measure_cell(order[i], round);
	}
	return true;
}

/* ------------------------------------------------------------ tables */

static const struct sweep_part *shown;
static struct history history;

struct summary {
	uint64_t ticks;  /* median of the rounds that have a figure, thousandths; 0: none */
	uint64_t spread; /* between them, thousandths of a percent */
};

static struct summary summarise(uint32_t w, uint32_t offset)
{
	uint64_t ticks[ROUNDS];
	uint32_t count = 0;
	for (uint32_t i = 0; i < rounds_kept; i++)
		if (results[i][shown - sweep->parts][w][offset])
			ticks[count++] = results[i][shown - sweep->parts][w][offset];
	if (!count)
		return (struct summary){ 0 };
	stats_sort(ticks, count);
	uint64_t median = stats_median(ticks, count);
	return (struct summary){ median, stats_spread(ticks[0], ticks[count - 1], median) };
}

static uint64_t nanoseconds(uint64_t ticks)
{
	uint64_t hz = machine_clock()->tsc_hz;
	return hz ? multiply_divide(ticks, 1000000000, hz) : 0;
}

static uint64_t counted_bytes(void)
{
	return (uint64_t)shown->counted * WORLD_CHUNK;
}

#define NAME_WIDTH  6u
#define FIELD_WIDTH 9u

/* For the published amount; ticks a call where the clock is not known. */
static void add_seconds(struct table *t, uint64_t ticks)
{
	uint64_t ns = nanoseconds(ticks);
	uint64_t us = multiply_divide(ns, shown->amount, counted_bytes() * 1000000);
	if (!ticks)
		table_field(t, "n/a");
	else if (!ns)
		table_field(t, "%s", fixed(ticks, 0).text);
	else
		table_field(t, "%llu.%06llu", (unsigned long long)us / 1000000,
			    (unsigned long long)us % 1000000);
}

static void add_rate(struct table *t, uint64_t ticks)
{
	uint64_t ns = nanoseconds(ticks);
	table_field(t, "%s", ns ? fixed(record_megabytes(counted_bytes(), ns), 1).text : "n/a");
}

/* The column of the published table that this way has; the ways were chosen by them. */
static const struct sweep_column *column_of(uint32_t w)
{
	for (unsigned i = 0;; i++)
		if (strcmp(shown->columns[i].routine, ways[w].routine->name) == 0)
			return &shown->columns[i];
}

static void add_published(struct table *t, uint32_t w, unsigned offset)
{
	const struct sweep_column *column = column_of(w);
	char row[24];
	format(row, sizeof(row), shown->history_row, offset);
	struct history_field f = history_get(&history, row, column->seconds);
	table_field(t, "%.*s", f.length, f.text);
	if (column->rate) {
		f = history_get(&history, row, column->rate);
		table_field(t, "%.*s", f.length, f.text);
	}
}

static void put_titles(struct table *t)
{
	char title[32];
	table_start(t, shown->row, NAME_WIDTH);
	for (uint32_t w = 0; w < published_count; w++) {
		format(title, sizeof(title), "%s s", ways[w].routine->name);
		table_column(t, title, FIELD_WIDTH);
		if (column_of(w)->rate)
			table_column(t, "MB/s", FIELD_WIDTH);
	}
	for (uint32_t w = 0; shown->history && w < published_count; w++) {
		table_column(t, column_of(w)->seconds, FIELD_WIDTH);
		if (column_of(w)->rate)
			table_column(t, column_of(w)->rate, FIELD_WIDTH);
	}
}

static void begin_row(struct table *t, uint32_t offset)
{
	char name[8];
	format(name, sizeof(name), "%u", (unsigned)offsets[offset]);
	table_row(t, name);
}

/* In the published shape: ours, then what was published. */
static void print_first_table(void)
{
	struct table t;
	record_block(offset_count + 1);
	put_titles(&t);
	for (uint32_t i = 0; i < offset_count; i++) {
		begin_row(&t, i);
		for (uint32_t w = 0; w < published_count; w++) {
			add_seconds(&t, summarise(w, i).ticks);
			if (column_of(w)->rate)
				add_rate(&t, summarise(w, i).ticks);
		}
		for (uint32_t w = 0; shown->history && w < published_count; w++)
			add_published(&t, w, offsets[i]);
	}
	table_end(&t);
}

/* Rates of other routines from `first` on, as many as fit, at the first offsets; the
 * routine after them. */
static uint32_t print_others(uint32_t first)
{
	uint32_t end = first;
	uint32_t rows = has_cell(first, offset_count - 1, 0) ? offset_count : OTHER_OFFSETS;
	struct table t;
	record_block(rows + 1);
	table_start(&t, shown->row, NAME_WIDTH);
	while (end < way_count && table_column(&t, ways[end].routine->name, FIELD_WIDTH))
		end++;
	for (uint32_t i = 0; i < rows; i++) {
		begin_row(&t, i);
		for (uint32_t w = first; w < end; w++)
			add_rate(&t, summarise(w, i).ticks);
	}
	table_end(&t);
	return end;
}

static void print_fastest(uint32_t offset)
{
	uint32_t best = 0;
	for (uint32_t w = 1; w < way_count; w++)
		if (summarise(w, offset).ticks &&
		    (!summarise(best, offset).ticks ||
		     summarise(w, offset).ticks < summarise(best, offset).ticks))
			best = w;
	record_text("%s: fastest at %s %u: %s", sweep->name, shown->row, (unsigned)offsets[offset],
		    ways[best].routine->name);
}

static void print_spread(void)
{
	static uint64_t spreads[ROUTINES * OFFSETS];
	uint32_t count = 0;
	for (uint32_t w = 0; w < way_count; w++)
		for (uint32_t i = 0; i < offset_count; i++)
			if (has_cell(w, i, 1))
				spreads[count++] = summarise(w, i).spread;
	if (!count || rounds_kept < 2)
		return;
	stats_sort(spreads, count);
	record_text("%s: spread between the rounds, largest less smallest: median %s %%, largest "
		    "%s %% of a cell",
		    sweep->name, fixed(stats_median(spreads, count), 1).text,
		    fixed(spreads[count - 1], 1).text);
}

static void print_lava(void)
{
	for (uint32_t w = 0; w < published_count; w++)
		for (uint32_t i = 0; i < 2; i++) {
			uint64_t ns = nanoseconds(summarise(w, i).ticks);
			record_lava(ns ? LAVA_PASS : LAVA_UNKNOWN, "MB/s",
				    record_megabytes(counted_bytes(), ns), "%s.%s.%s.%u",
				    sweep->name, ways[w].routine->name, shown->id,
				    (unsigned)offsets[i]);
		}
}

static void print_part(const struct sweep_part *part)
{
	shown = part;
	record_text("%s: %s; timing: %s", sweep->name, part->title, identity_timing_name());
	if (part->history && history_open(part->history, &history)) {
		struct history_field source = history_comment(&history, 0);
		record_text("the last columns as published: %.*s", source.length, source.text);
	}
	if (published_count)
		print_first_table();
	for (uint32_t first = published_count; first < way_count;)
		first = print_others(first);
	print_fastest(0);
	print_fastest(1);
	print_spread();
	print_lava();
}

/* ------------------------------------------------------------ the whole */

static void print_checks(void)
{
	const struct world_count *count = world_count();
	record_text("%s: %llu KiB that were read compared with what was written, %u failures; the "
		    "program's own clock saw %s %% of the time measured outside",
		    sweep->name, (unsigned long long)count->checked >> 10,
		    (unsigned)count->failures,
		    fixed(multiply_divide(count->own_ticks, 100000, count->ticks), 1).text);
}

/* What was only read must be as it was made. */
static bool file_is_sound(void)
{
	size_t wrong = world_file_wrong(make_job(&sweep->parts[0], &ways[0], 0).start,
					make_job(&sweep->parts[0], &ways[0], 0).size);
	if (wrong)
		record_text("%s: %zu words of the page cache were changed by reads", sweep->name,
			    wrong);
	return !wrong;
}

static bool run_parts(void)
{
	world_describe();
	if (!measure_all())
		return false;
	for (unsigned i = 0; i < sweep->part_count; i++)
		print_part(&sweep->parts[i]);
	print_checks();
	return !world_count()->failures && file_is_sound();
}

enum experiment_result sweep_run(const struct sweep *wanted)
{
	const char *why;
	sweep = wanted;
	choose_ways();
	choose_offsets();
	choose_file();
	if (!way_count)
		return experiment_skip(sweep->name, "no routine to measure");
	if (!world_open(sweep->name, file_bytes, &why)) {
		record_text("%s: %s", sweep->name, why);
		return EXPERIMENT_DIED;
	}
	bool done = run_parts();
	world_close();
	return done ? EXPERIMENT_DONE : EXPERIMENT_DIED;
}
