/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What it costs a program to enter the kernel and come back, before anything is copied:
 * by each way in, for a call that does nothing and for one that copies 8 bytes out, so
 * that the price of pti= and harden= is seen by itself. And whether user mode holds: a
 * program that reaches for the kernel's memory must end there, and nothing else.
 */
#include "lib/format.h"
#include "lib/frequency.h"
#include "suite/experiment.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/report.h"
#include "suite/stats.h"
#include "suite/world/world.h"

#define NAME   "entry"
#define CALLS  100u
#define MS     10u
#define WAYS   4u
#define ROUNDS 10u /* kept for the table */

static const struct {
	const char *name; /* of what is called */
	user_program *program;
	const char *copy;
	uint64_t bytes;
} kinds[] = {
	{ "null", program_null, "none", 0 },
	{ "clock", program_clock, "rep_movsb", sizeof(uint64_t) },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static uint64_t results[WAYS][KINDS][ROUNDS]; /* ticks, thousandths; 0: none */

/* ------------------------------------------------------------ cost */

static void measure_cell(unsigned way, unsigned kind, unsigned round)
{
	const char *entry = machine_user_entry(way), *why;
	struct world_job job = { .entry = entry, .program = kinds[kind].program, .calls = CALLS };
	struct measured m = { 0 };
	if (!world_measure(&job, MS, &m, &why)) {
		record_text("%s: %s by %s: %s", NAME, kinds[kind].name, entry, why);
	} else {
		struct benchmark b = {
			.exp = NAME,
			.copy = kinds[kind].copy,
			.n = kinds[kind].bytes,
			.samples = m.samples,
			.ns = m.ns,
			.ticks = m.ticks,
			.cycles = m.cycles,
			.ci = m.spread,
			.disturbed = m.disturbed,
		};
		record_benchmark(&b, "entry=%s/call=%s", entry, kinds[kind].name);
	}
	if (round < ROUNDS)
		results[way][kind][round] = m.ticks;
}

static void print_cell(unsigned way, unsigned kind, unsigned rounds)
{
	uint64_t *ticks = results[way][kind], hz = machine_clock()->tsc_hz;
	stats_sort(ticks, rounds);
	uint64_t median = stats_median(ticks, rounds);
	record_text("%10s %6s %10s %10s %9s", machine_user_entry(way), kinds[kind].name,
		    ticks[0] ? fixed(median, 1).text : "n/a",
		    ticks[0] && hz ? fixed(multiply_divide(median, 1000000000, hz), 1).text : "n/a",
		    fixed(stats_spread(ticks[0], ticks[rounds - 1], median), 1).text);
	record_lava(ticks[0] ? LAVA_PASS : LAVA_UNKNOWN, "ticks", median, "%s.%s.%s", NAME,
		    machine_user_entry(way), kinds[kind].name);
}

static void measure_all(void)
{
	unsigned rounds = suite_options()->rounds, ways = 0;
	while (ways < WAYS && machine_user_entry(ways))
		ways++;
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned cell = 0; cell < ways * KINDS; cell++)
			measure_cell(cell / KINDS, cell % KINDS, round);
	record_text(
		"%s: a call and its return, median of the rounds; clock: 8 bytes are copied out",
		NAME);
	record_text("%10s %6s %10s %10s %9s", "by", "call", "ticks", "ns", "spread %");
	for (unsigned cell = 0; cell < ways * KINDS; cell++)
		print_cell(cell / KINDS, cell % KINDS, rounds < ROUNDS ? rounds : ROUNDS);
}

/* ------------------------------------------------------------ does it hold? */

static bool is_given_up(const char *what, user_program *program, const void *address)
{
	struct fault fault;
	const char *why;
	bool given_up = world_provoke(program, address, &fault, &why);
	record_text("%s: a program that %s: %s", NAME, what,
		    given_up ? report_summary(&fault).text : why);
	return given_up;
}

/* What handles a fault of the kernel's copy must not mind the flags of the program that
 * called, and the program finds them again. What went wrong counts as the world's failure. */
static void check_flags(void)
{
	for (unsigned way = 0; machine_user_entry(way); way++) {
		struct world_job job = { .entry = machine_user_entry(way),
					 .program = program_flags };
		const char *why;
		bool kept = world_check(&job, &why);
		record_text("%s: by %s with DF and AC set, a copy that faults: %s", NAME, job.entry,
			    kept ? "as without" : why);
	}
}

/* A program that spins is left to the watchdog, which takes its time. */
static bool user_mode_holds(void)
{
	static const uint8_t secret;
	if (!(machine_can() & CAN_USER_MODE))
		return true;
	return is_given_up("reads the kernel's memory", program_peek, &secret) &&
	       is_given_up("turns interrupts on", program_privileged, NULL) &&
	       (suite_options()->level == SUITE_QUICK ||
		is_given_up("never returns", program_spin, NULL));
}

static enum experiment_result run(void)
{
	const char *why;
	if (!world_open(NAME, 0, &why)) {
		record_text("%s: %s", NAME, why);
		return EXPERIMENT_DIED;
	}
	world_describe();
	measure_all();
	if (machine_can() & CAN_USER_MODE)
		check_flags();
	bool sound = !world_count()->failures && user_mode_holds();
	world_close();
	return sound ? EXPERIMENT_DONE : EXPERIMENT_DIED;
}
EXPERIMENT(entry, NAME, "what a call from user mode costs by itself", 0, run);
