/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86-64, March 2008: what pinning user pages costs where a device writes into them, 4 KiB
 * at a time, and what is saved by not taking locks for it. Here a CPU plays the device:
 * the second where there is one. For each block of a queue the user's page is pinned, the
 * device copies into it by the supervisor's alias, and the block is completed: unpinned, on
 * the device's side or, moved there, on the submitter's. Beside it stands the way that
 * needs no pinning: the device copies into a buffer of the kernel's, and completion copies
 * on to the user's address, with faults answered by the exception table.
 */
#include "lib/format.h"
#include "lib/frequency.h"
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
#include "suite/stats.h"

#define NAME        "gup"
#define QUEUES      11u
#define DEPTH       64u
#define BLOCK       MACHINE_PAGE
#define BLOCKS      (QUEUES * DEPTH)
#define AREA_STRIDE 80u /* pages from one queue's area to the next: with a gap */
#define PASSES_MIN  2u  /* over all queues */
#define ROUNDS      10u /* kept for the table */
#define PATIENCE_S  20u
#define RUN_S       20u /* what a published run took, roughly */

enum pinning { LOCKED, LOCKLESS, COPIED, PINNINGS };
enum completion { NORMAL, SUBMITTER, COMPLETIONS };
#define CELLS (PINNINGS * COMPLETIONS)

static const char *const pinning_names[] = { "locked", "lockless", "copied" };
static const char *const completion_names[] = { "normal", "submitter" };

/* A queue belongs to one side at a time, as its state says. */
enum queue_state { EMPTY, SUBMITTED, DONE };

struct queue {
	uint32_t state;
	size_t frame[DEPTH];
} __attribute__((aligned(128)));

static struct queue queues[QUEUES];

/* The cell that runs. */
static enum pinning pinning;
static enum completion completion;
static uint32_t stop;                     /* for the device */
static uint32_t failed;                   /* copies to the user */
static uint64_t pin_ticks, done_ticks[2]; /* done_ticks: submitter's, device's */

static const struct machine_pins *pins; /* NULL: only copies */
static const char *pins_missing, *second_missing;
static struct area source, buffer, user; /* a page a block; `user` without pins */
static uint16_t place[BLOCKS];           /* the frame of each block's page */
static copy_function *copy_plain, *copy_to_user;
static const char *routine_name;

struct result {
	uint64_t ticks, pin, done; /* a block, in thousandths */
};
static struct result results[CELLS][ROUNDS];
static unsigned rounds_kept;

/* ------------------------------------------------------------ addresses */

static size_t user_page(unsigned block)
{
	return block / DEPTH * AREA_STRIDE + block % DEPTH;
}

static uint8_t *user_address(unsigned block)
{
	return pins ? pins->user + user_page(block) * BLOCK : user.base + block * BLOCK;
}

/* What is at the user's address, for clearing and checking. */
static uint8_t *user_alias(unsigned block)
{
	return pins ? pins->alias + place[block] * (size_t)BLOCK : user.alias + block * BLOCK;
}

static uintptr_t word_of(unsigned block, unsigned word)
{
	return (uintptr_t)0x9e3779b9u * (block + 1) + word;
}

/* ------------------------------------------------------------ both sides */

static uint32_t state_of(const struct queue *q)
{
	return __atomic_load_n(&q->state, __ATOMIC_ACQUIRE);
}

static void pass_on(struct queue *q, enum queue_state state)
{
	__atomic_store_n(&q->state, (uint32_t)state, __ATOMIC_RELEASE);
}

static void complete(struct queue *q, uint64_t *ticks)
{
	unsigned first = (unsigned)(q - queues) * DEPTH;
	uint64_t start = machine_ticks();
	for (unsigned i = 0; i < DEPTH; i++) {
		if (pinning != COPIED)
			pins->unpin(q->frame[i]);
		else if (copy_to_user(user_address(first + i), buffer.alias + (first + i) * BLOCK,
				      BLOCK))
			__atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
	}
	*ticks += machine_ticks() - start;
	pass_on(q, EMPTY);
}

/* ------------------------------------------------------------ the device's side */

static void serve(struct queue *q)
{
	unsigned first = (unsigned)(q - queues) * DEPTH;
	for (unsigned i = 0; i < DEPTH; i++) {
		uint8_t *to = pinning == COPIED ? buffer.alias + (first + i) * BLOCK
						: pins->alias + q->frame[i] * BLOCK;
		copy_plain(to, source.alias + (first + i) * BLOCK, BLOCK);
	}
	if (completion == NORMAL)
		complete(q, &done_ticks[1]);
	else
		pass_on(q, DONE);
}

static void serve_all(void)
{
	for (unsigned i = 0; i < QUEUES; i++)
		if (state_of(&queues[i]) == SUBMITTED)
			serve(&queues[i]);
}

static void be_device(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		serve_all();
		machine_cpu_relax();
	}
}

/* ------------------------------------------------------------ the submitter's side */

static bool submit(struct queue *q)
{
	unsigned first = (unsigned)(q - queues) * DEPTH;
	enum pin_form form = pinning == LOCKED ? PIN_LOCKED : PIN_LOCKLESS;
	bool all = true;
	uint64_t start = machine_ticks();
	if (pinning != COPIED)
		for (unsigned i = 0; i < DEPTH; i++)
			all &= pins->pin(form, user_address(first + i), &q->frame[i]);
	pin_ticks += machine_ticks() - start;
	if (all)
		pass_on(q, SUBMITTED);
	return all;
}

static uint64_t ticks_in(uint64_t ms)
{
	uint64_t hz = machine_clock()->tsc_hz;
	return (hz ? hz : 1000000000) / 1000 * ms;
}

/* Submits until `end`, and `least` queues however long it takes; then waits for what is
 * under way. How many queues went through; 0 when the device's side hangs, or a page
 * cannot be pinned. */
static unsigned drive(uint64_t end, unsigned least, bool alone)
{
	uint64_t give_up = end + ticks_in(PATIENCE_S * 1000);
	unsigned submitted = 0, busy;
	do {
		bool more = submitted < least || machine_ticks() < end;
		busy = 0;
		for (unsigned i = 0; i < QUEUES; i++) {
			if (state_of(&queues[i]) == DONE)
				complete(&queues[i], &done_ticks[0]);
			if (more && state_of(&queues[i]) == EMPTY) {
				if (!submit(&queues[i]))
					return 0;
				submitted++;
			}
			busy += state_of(&queues[i]) != EMPTY;
		}
		if (alone)
			serve_all();
		else
			machine_cpu_relax();
		if (machine_ticks() > give_up)
			return 0;
	} while (busy || submitted < least || machine_ticks() < end);
	return submitted;
}

/* ------------------------------------------------------------ one cell */

static void clear(void)
{
	for (unsigned block = 0; block < BLOCKS; block++)
		memset(user_alias(block), 0, BLOCK);
	if (pinning == COPIED)
		memset(buffer.alias, 0, buffer.size);
}

/* Every block arrived whole, and nothing is pinned any more. */
static bool verify(void)
{
	for (unsigned block = 0; block < BLOCKS; block++) {
		const uintptr_t *words = (const uintptr_t *)user_alias(block);
		for (unsigned i = 0; i < BLOCK / sizeof(*words); i++)
			if (words[i] != word_of(block, i))
				return false;
		if (pins && pins->references(place[block]) != 1)
			return false;
	}
	return !failed;
}

static void print_lines(const struct result *r, unsigned queues_done)
{
	static const char *const parts[] = { "whole", "sys" };
	uint64_t hz = machine_clock()->tsc_hz;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t ticks = i ? r->pin + r->done : r->ticks;
		struct benchmark b = {
			.exp = NAME,
			.copy = routine_name,
			.n = BLOCK,
			.samples = queues_done,
			.ns = hz ? multiply_divide(ticks, 1000000000, hz) : 0,
			.ticks = ticks,
		};
		record_benchmark(&b, "pin=%s/completion=%s/part=%s", pinning_names[pinning],
				 completion_names[completion], parts[i]);
	}
}

static bool run_cell(unsigned cell, unsigned round)
{
	bool alone = second_missing != NULL;
	unsigned ms = suite_options()->level == SUITE_QUICK ? 5 : 50;
	const char *why = "";
	pinning = cell / COMPLETIONS;
	completion = cell % COMPLETIONS;
	pin_ticks = done_ticks[0] = done_ticks[1] = 0;
	failed = stop = 0;
	clear();
	if (!alone && !machine_cpu_run(1, be_device, NULL, &why)) {
		record_text("%s: CPU 1: %s", NAME, why);
		return false;
	}
	uint64_t start = machine_ticks();
	unsigned done = drive(start + ticks_in(ms), PASSES_MIN * QUEUES, alone);
	uint64_t ticks = machine_ticks() - start;
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	if (!done || (!alone && !machine_cpu_wait(1, PATIENCE_S * 1000))) {
		record_text("%s: %s, %s: a page was not pinned, or CPU 1 does not come to an end",
			    NAME, pinning_names[pinning], completion_names[completion]);
		return false;
	}
	uint64_t blocks = (uint64_t)done * DEPTH;
	struct result r = { ticks * 1000 / blocks, pin_ticks * 1000 / blocks,
			    (done_ticks[0] + done_ticks[1]) * 1000 / blocks };
	print_lines(&r, done);
	if (round < ROUNDS)
		results[cell][round] = r;
	if (verify())
		return true;
	record_text("%s: %s, %s: data or references are wrong", NAME, pinning_names[pinning],
		    completion_names[completion]);
	return false;
}

/* ------------------------------------------------------------ the table */

/* NULL, or why this cell is not run. */
static const char *cell_lacks(unsigned cell)
{
	if (cell / COMPLETIONS != COPIED && !pins)
		return pins_missing;
	return cell % COMPLETIONS == SUBMITTER ? second_missing : NULL;
}

static uint64_t median(unsigned cell, size_t member)
{
	uint64_t values[ROUNDS];
	for (unsigned i = 0; i < rounds_kept; i++)
		values[i] = *(const uint64_t *)((const char *)&results[cell][i] + member);
	stats_sort(values, rounds_kept);
	return stats_median(values, rounds_kept);
}

struct text {
	char text[40];
};

/* A published figure, or a dash. */
static struct text published(const struct history *h, const char *row, const char *column)
{
	struct history_field f = history_get(h, row, column);
	struct text out;
	format(out.text, sizeof(out.text), "%.*s", f.length ? f.length : 1,
	       f.length ? f.text : "-");
	return out;
}

/* MiB a second, in thousandths; 0: not known. */
static uint64_t mebibytes(uint64_t ticks)
{
	return measure_kilobytes(BLOCK, ticks) * 1000 / (1 << 20);
}

static void print_row(const struct history *h, unsigned cell)
{
	const char *name = pinning_names[cell / COMPLETIONS];
	const char *how = completion_names[cell % COMPLETIONS];
	uint64_t ticks = median(cell, offsetof(struct result, ticks));
	uint64_t pin = median(cell, offsetof(struct result, pin));
	uint64_t done = median(cell, offsetof(struct result, done));
	uint64_t rate = mebibytes(ticks), sys = ticks ? (pin + done) * RUN_S * 1000 / ticks : 0;
	char row[24];
	format(row, sizeof(row), "%s,%s", name, how);
	record_text("%-8s %-9s %9s %10s %10s %7s %9s | %6s %6s %7s %6s", name, how,
		    rate ? fixed(rate, 0).text : "n/a", fixed(pin, 1).text, fixed(done, 1).text,
		    fixed(sys, 3).text, rate && sys ? fixed(rate * 1000 / sys, 2).text : "n/a",
		    published(h, row, "bw_MiBps").text, published(h, row, "usr_s").text,
		    published(h, row, "sys_s").text, published(h, row, "bw_per_sys").text);
}

static void print_table(void)
{
	struct history h;
	if (!history_open("2008-gup", &h))
		return;
	struct history_field from = history_comment(&h, 0);
	record_text(
		"%s: %u queues, depth %u, %u byte blocks copied by %s; the device is %s; timing: "
		"%s",
		NAME, QUEUES, DEPTH, BLOCK, routine_name,
		second_missing ? "this CPU too" : "CPU 1, completion \"normal\" there",
		identity_timing_name());
	record_text(
		"pin, done: ticks a block in pinning and in completion; sys_s: both, on all CPUs, "
		"in a run of %u s; no user time here: nobody waits for the data",
		RUN_S);
	record_text("copied: no pinning; completion copies from the kernel's buffer to the user");
	record_text("the last columns as published: %.*s", from.length, from.text);
	record_block(CELLS + 1);
	record_text("%-8s %-9s %9s %10s %10s %7s %9s | %6s %6s %7s %6s", "pinning", "completed",
		    "bw_MiBps", "pin", "done", "sys_s", "bw/sys", "bw", "usr_s", "sys_s", "bw/sys");
	for (unsigned cell = 0; cell < CELLS; cell++)
		if (!cell_lacks(cell))
			print_row(&h, cell);
}

static void print_lava(void)
{
	for (unsigned cell = 0; cell < CELLS; cell++)
		record_lava(cell_lacks(cell) ? LAVA_SKIP : LAVA_PASS, "ticks",
			    cell_lacks(cell) ? 0
					     : median(cell, offsetof(struct result, pin)) +
						       median(cell, offsetof(struct result, done)),
			    "%s.%s.%s.sys", NAME, pinning_names[cell / COMPLETIONS],
			    completion_names[cell % COMPLETIONS]);
}

/* ------------------------------------------------------------ the whole */

/* rep_movsl, or of those chosen the first that needs no FPU: the device's side has none. */
static bool is_usable(const struct form *f)
{
	return f->kind == FORM_TO_USER && registry_chosen(f->routine) && !f->routine->lacks[0] &&
	       !f->routine->uses[0] && f->alignment <= 1 && f->minimum <= BLOCK &&
	       registry_form(f->routine->name, FORM_PLAIN);
}

static bool choose_routine(void)
{
	const struct form *forms, *chosen = NULL;
	size_t count = registry_forms(&forms);
	for (size_t i = 0; i < count; i++)
		if (is_usable(&forms[i]) &&
		    (!chosen || strcmp(forms[i].routine->name, "rep_movsl") == 0))
			chosen = &forms[i];
	if (!chosen)
		return false;
	routine_name = chosen->routine->name;
	copy_to_user = (copy_function *)chosen->entry;
	copy_plain = (copy_function *)registry_form(routine_name, FORM_PLAIN)->entry;
	return true;
}

static bool map_pages(void)
{
	struct random r = random_seeded(suite_options()->seed);
	static uint32_t order[BLOCKS];
	pins->reset();
	stats_shuffle(&r, order, BLOCKS);
	for (unsigned q = 0; q < QUEUES; q++)
		if (!pins->area(q * AREA_STRIDE, DEPTH))
			return false;
	for (unsigned block = 0; block < BLOCKS; block++) {
		place[block] = (uint16_t)order[block];
		if (!pins->map(user_page(block), place[block], 1, ACCESS_READ_WRITE))
			return false;
	}
	return true;
}

static bool prepare(const char **why)
{
	const size_t bytes = (size_t)BLOCKS * BLOCK;
	pins = machine_pins(&pins_missing);
	second_missing = machine_can() & CAN_CPUS ? NULL : "needs a second CPU";
	*why = "no memory for page tables";
	if (pins && !map_pages())
		return false;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, bytes, &source, why) ||
	    !machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, bytes, &buffer, why) ||
	    (!pins && !machine_area_map(AREA_USER, ACCESS_READ_WRITE, bytes, &user, why)))
		return false;
	for (unsigned block = 0; block < BLOCKS; block++)
		for (unsigned i = 0; i < BLOCK / sizeof(uintptr_t); i++)
			((uintptr_t *)(source.alias + block * BLOCK))[i] = word_of(block, i);
	return true;
}

static void tidy_up(void)
{
	if (source.base)
		machine_area_unmap(&source);
	if (buffer.base)
		machine_area_unmap(&buffer);
	if (user.base)
		machine_area_unmap(&user);
	if (pins)
		pins->reset();
}

static bool run_rounds(void)
{
	struct random r = random_seeded(suite_options()->seed);
	unsigned rounds = suite_options()->rounds;
	uint32_t order[CELLS];
	rounds_kept = rounds < ROUNDS ? rounds : ROUNDS;
	machine_time(0, NULL, NULL, 0, 0); /* the watchdog's ticks end */
	for (unsigned round = 0; round < rounds; round++) {
		stats_shuffle(&r, order, CELLS);
		for (unsigned i = 0; i < CELLS; i++)
			if (!cell_lacks(order[i]) && !run_cell(order[i], round))
				return false;
	}
	return true;
}

static enum experiment_result run(void)
{
	const char *why;
	if (!choose_routine())
		return experiment_skip(NAME, "no routine without FPU among those chosen");
	bool done = prepare(&why);
	if (!done) {
		record_text("%s: no memory for it: %s", NAME, why);
	} else {
		if (!pins)
			record_text("%s: locked and lockless skipped: %s", NAME, pins_missing);
		if (second_missing)
			record_text("%s: completion moved to the submitter skipped: %s", NAME,
				    second_missing);
		done = run_rounds();
	}
	if (done) {
		print_table();
		print_lava();
	}
	tidy_up();
	return done ? EXPERIMENT_DONE : EXPERIMENT_DIED;
}

EXPERIMENT(gup, NAME, "pinning user pages for a device: with locks, without, and not at all", 0,
	   run);
