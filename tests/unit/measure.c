/* SPDX-License-Identifier: BSD-2-Clause */
/* What becomes of samples on a core that is modelled (tests/unit/core.h). */
#include "suite/measure.h"

#include "lib/frequency.h"
#include "suite/core.h"
#include "suite/identity.h"
#include "tests/unit/core.h"
#include "tests/unit/cpuid.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

/* Cycles: copies in batches; three in a block, one by one. */
#define COPY 300u
#define LONG 400000u

#define STEPS 2000u /* ppm that the counter's steps leave open (docs/METHOD.md) */

static struct measured m;
static const char *why;
static struct measure_count before;
static uint64_t since;

static uint64_t ms(unsigned n)
{
	return machine_clock()->tsc_hz / 1000 * n;
}

static bool hot(uintptr_t cycles)
{
	return measure_hot(cycles, NULL, NULL, 0, &m, &why);
}

/* `got`, in thousandths, is `want`. */
static bool is(uint64_t got, uint64_t want, unsigned ppm)
{
	return frequency_apart(got, want * 1000) <= ppm;
}

/* What became of the samples since the start of the test. */
static void check_counts(uint64_t taken, uint64_t preempted, uint64_t interrupted, uint64_t clock,
			 uint64_t shared, uint64_t kept)
{
	const struct measure_count *c = measure_count();
	CHECK_NUMBER(c->taken - before.taken, taken);
	CHECK_NUMBER(c->preempted - before.preempted, preempted);
	CHECK_NUMBER(c->interrupted - before.interrupted, interrupted);
	CHECK_NUMBER(c->clock - before.clock, clock);
	CHECK_NUMBER(c->shared - before.shared, shared);
	CHECK_NUMBER(c->kept - before.kept, kept);
}

/* Nothing was thrown away: so many samples of a few parts each were all that was timed. */
static void check_undisturbed(uint64_t samples)
{
	uint64_t taken = measure_count()->taken - before.taken;
	CHECK_NUMBER(taken % samples, 0);
	CHECK(taken / samples >= 1 && taken / samples <= 8);
	check_counts(taken, 0, 0, 0, 0, 0);
}

static uint64_t shared(void)
{
	return measure_count()->shared - before.shared;
}

/* A core that has been seen alone, so that its best is known; others may share it. */
static void start(enum measure_turn turn)
{
	static struct cpuid_table table;
	if (!table.rows)
		cpuid_table_load(CPUID_FOLDER "/epyc-genoa-kvm.txt", &table);
	machine_table = &table;
	identity_start();
	unit_core = (struct unit_core){ 0 };
	measure_turn(MEASURE_ALONE);
	CHECK(hot(COPY));
	measure_turn(turn);
	before = *measure_count();
	since = unit_core.now;
}

TEST(a_hot_figure_is_what_the_copy_costs)
{
	static const unsigned costs[] = { 1, 7, COPY, 9000, LONG };
	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		start(MEASURE_ALONE);
		CHECK(hot(costs[i]));
		CHECK(is(m.ticks, costs[i], STEPS));
		CHECK(is(m.cycles, costs[i], 2 * STEPS));
		CHECK_NUMBER(m.ns, multiply_divide(m.ticks, 10, 21));
		CHECK(m.minimum <= m.low && m.low <= m.ticks && m.ticks <= m.high);
		CHECK(unit_core.now < since + ms(40));
		CHECK_NUMBER(m.samples, MEASURE_SAMPLES_MIN);
		check_undisturbed(MEASURE_SAMPLES_MIN);
	}
}

TEST(few_samples_are_taken_of_what_is_slow)
{
	start(MEASURE_ALONE);
	CHECK(hot(3000000));
	CHECK(is(m.ticks, 3000000, STEPS));
	CHECK_NUMBER(m.samples, MEASURE_SAMPLES_FEW);
	check_undisturbed(MEASURE_SAMPLES_FEW);
}

TEST(what_takes_no_time_has_no_figure)
{
	start(MEASURE_ALONE);
	CHECK(!hot(0));
	CHECK_TEXT(why, "too short for the step of the time-stamp counter");
}

TEST(samples_that_vary_are_taken_until_the_interval_is_narrow_or_time_is_up)
{
	start(MEASURE_ALONE);
	unit_core.varies = 14;
	CHECK(hot(40000));
	CHECK(is(m.ticks, 40280, 5000));
	CHECK(m.spread <= 500);
	CHECK(m.samples > MEASURE_SAMPLES_MIN && m.samples < MEASURE_SAMPLES_MAX);

	start(MEASURE_ALONE);
	unit_core.varies = 90;
	CHECK(hot(40000));
	CHECK(m.spread > 500);
	CHECK(m.samples > MEASURE_SAMPLES_MIN);
	CHECK(unit_core.now >= since + ms(20) && unit_core.now < since + ms(25));

	struct state state = { .from = { .n = 1 } };
	start(MEASURE_ALONE);
	unit_core.varies = 400;
	CHECK(measure_from(40000, &state, &m, &why));
	CHECK(m.spread > 2000);
	CHECK_NUMBER(m.samples, MEASURE_SAMPLES_MAX);
	CHECK(unit_core.now < since + ms(100));
}

/* The median of what is either 300 or 360 would be one of them, by chance. */
TEST(a_loop_of_two_speeds_gets_a_figure_between_them)
{
	for (unsigned i = 0; i < 20; i++) {
		start(MEASURE_ALONE);
		unit_core.now += i * 1001;
		unit_core.slower = 200;
		CHECK(hot(COPY));
		CHECK(is(m.ticks, COPY / 10 * 11, 50000));
		CHECK(m.samples >= MEASURE_SAMPLES_MIN && m.samples <= 2 * MEASURE_SAMPLES_MIN);
	}
}

TEST(cycles_stay_the_same_when_the_clock_does_not)
{
	for (unsigned counted = 0; counted < 2; counted++) {
		start(MEASURE_ALONE);
		unit_core.lower = 50;
		unit_core.counts_cycles = counted;
		CHECK(hot(COPY));
		CHECK(is(m.ticks, COPY / 2 * 3, STEPS));
		CHECK(is(m.cycles, COPY, 2 * STEPS));
		CHECK_TEXT(core_source(), counted ? "counter" : "chain");
		CHECK(is(core_hz(), machine_clock()->tsc_hz / 1500, STEPS));
	}
}

TEST(a_block_in_which_the_clock_changed_is_thrown_away)
{
	start(MEASURE_ALONE);
	unit_core.lower = 1;
	unit_core.lower_from = since + ms(5); /* in the first block of samples */
	CHECK(hot(LONG));
	CHECK(is(m.minimum, LONG / 100 * 101, STEPS));
	check_counts(MEASURE_SAMPLES_MIN + 3, 0, 0, 3, 0, 0);
}

TEST(two_looks_tell_whether_the_clock_moved)
{
	struct core_state one, two, lower;
	start(MEASURE_ALONE);
	core_look(&one);
	unit_core.shared_until = UINT64_MAX;
	core_look(&two);
	unit_core.lower = 1;
	core_look(&lower);
	CHECK(core_steady(&one, &two));
	CHECK(!core_steady(&one, &lower));
	CHECK(!core_steady(&lower, &one));
}

TEST(another_thread_shows_at_once_and_by_any_clock)
{
	struct core_state look;
	start(MEASURE_ALONE);
	for (unsigned lower = 0; lower < 60; lower += 20) {
		unit_core.lower = lower;
		core_look(&look);
		unit_core.shared_until = 0;
		CHECK(core_alone());
		unit_core.shared_until = UINT64_MAX;
		CHECK(!core_alone());
		unit_core.waits = true;
		CHECK(!core_alone());
		unit_core.waits = false;
	}
}

TEST(on_bare_metal_nobody_shares_it)
{
	start(MEASURE_ALONE);
	machine_table = NULL;
	identity_start();
	unit_core.shared_until = UINT64_MAX;
	CHECK(core_alone());
}

/* Else all that is timed later would seem to be disturbed. */
TEST(a_clock_that_rises_is_not_taken_for_a_better_core)
{
	struct core_state before_it, after;
	start(MEASURE_ALONE);
	unit_core.lower = 50;
	core_look(&before_it);
	unit_core.lower = 0;
	CHECK(core_alone());
	core_look(&after);
	CHECK(!core_steady(&before_it, &after));
	CHECK(core_alone());

	/* and one that was higher between two looks is not either */
	unit_core.lower = 50;
	core_look(&before_it);
	unit_core.lower = 0;
	core_alone();
	unit_core.lower = 50;
	core_look(&after);
	CHECK(core_steady(&before_it, &after));
	CHECK(core_alone());

	/* not even now and then */
	for (unsigned i = 0; i < 10; i++) {
		CHECK(core_alone());
		core_look(&before_it);
		CHECK(core_steady(&after, &before_it));
		unit_core.lower = 0;
		core_alone();
		unit_core.lower = 50;
		core_look(&after);
		CHECK(core_steady(&before_it, &after));
	}
	CHECK(core_alone());
}

TEST(counted_cycles_go_before_the_chain)
{
	struct core_state before_it = { .counted = 1000, .tsc = 1000 },
			  after = { .chain = 1000000, .counted = 3000, .tsc = 4000 };
	CHECK_NUMBER(core_chain(&before_it, &after), 1500000);
	after.counted = 0;
	CHECK_NUMBER(core_chain(&before_it, &after), 1000000);
}

/* The batch that was found meanwhile is too small for the core alone: five samples show it. */
TEST(a_core_that_is_shared_for_a_while_is_waited_for)
{
	for (enum measure_turn turn = MEASURE_ALONE; turn <= MEASURE_LAST_TIME; turn++) {
		unsigned busy = turn == MEASURE_COMES_AGAIN ? 15 : 95;
		start(turn);
		unit_core.shared_until = since + ms(busy);
		unit_core.times = 6;
		CHECK(hot(COPY));
		CHECK(is(m.low, COPY, STEPS) && is(m.high, COPY, STEPS));
		CHECK_NUMBER(m.samples, MEASURE_SAMPLES_MIN);
		CHECK(shared() > 0);
		uint64_t short_ones = measure_count()->interrupted - before.interrupted;
		uint64_t taken = measure_count()->taken - before.taken - short_ones - shared();
		CHECK(short_ones > 0);
		CHECK_NUMBER(taken % MEASURE_SAMPLES_MIN, 0);
		check_counts(taken + short_ones + shared(), 0, short_ones, 0, shared(), 0);
		CHECK(unit_core.now >= since + ms(busy) && unit_core.now < since + ms(busy + 10));
	}
}

TEST(what_is_shared_in_the_middle_is_left_out)
{
	start(MEASURE_ALONE);
	unit_core.shared_from = since + ms(6);
	unit_core.shared_until = since + ms(20);
	CHECK(hot(LONG));
	CHECK(is(m.high, LONG, STEPS));
	CHECK(shared() > 0);
}

TEST(a_cell_that_comes_again_is_put_off_while_the_core_is_shared)
{
	start(MEASURE_COMES_AGAIN);
	unit_core.shared_until = UINT64_MAX;
	CHECK(!hot(COPY));
	CHECK_TEXT(why, measure_later);
	check_counts(shared(), 0, 0, 0, shared(), 0);
	CHECK(unit_core.now >= since + ms(20) && unit_core.now < since + ms(25));

	unit_core.shared_until = 0;
	before = *measure_count();
	CHECK(hot(COPY));
	CHECK(is(m.ticks, COPY, STEPS));
	check_undisturbed(MEASURE_SAMPLES_MIN);
}

TEST(a_core_that_is_shared_for_good_is_made_do_with)
{
	static const struct {
		enum measure_turn turn;
		unsigned patience, cycles, samples, parts, at_most;
	} cells[] = { { MEASURE_NOW, 0, COPY, MEASURE_SAMPLES_MIN, 8, 20 },
		      { MEASURE_LAST_TIME, 100, COPY, MEASURE_SAMPLES_MIN, 8, 120 },
		      { MEASURE_ALONE, 100, COPY, MEASURE_SAMPLES_MIN, 8, 120 },
		      { MEASURE_LAST_TIME, 100, 8000000, MEASURE_SAMPLES_FEW, 1, 500 },
		      { MEASURE_ALONE, 100, 8000000, MEASURE_SAMPLES_FEW, 1, 500 } };
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		unsigned parts = cells[i].samples * cells[i].parts;
		start(cells[i].turn);
		unit_core.shared_until = UINT64_MAX;
		CHECK(hot(cells[i].cycles));
		CHECK(is(m.ticks, 2 * cells[i].cycles, STEPS));
		CHECK(m.disturbed);
		CHECK_NUMBER(m.samples, cells[i].samples);
		check_counts(parts + shared(), 0, 0, 0, shared(), parts);
		CHECK(unit_core.now >= since + ms(cells[i].patience));
		CHECK(unit_core.now < since + ms(cells[i].at_most));
	}
}

/* Between two bursts there is time for a pair, but no telling whether another came meanwhile. */
TEST(a_core_that_is_shared_most_of_the_time_is_not_trusted)
{
	start(MEASURE_ALONE);
	unit_core.shared_until = since + ms(60);
	unit_core.shared_every = ms(12) / 1000;
	unit_core.shared_for = ms(5) / 1000;
	CHECK(hot(COPY));
	CHECK(is(m.ticks, COPY, STEPS));
	CHECK(!m.disturbed);
	CHECK(shared() > 0);
	CHECK(unit_core.now >= since + ms(60));
}

TEST(a_core_that_is_shared_is_left_for_another)
{
	start(MEASURE_ALONE);
	uint64_t moves = measure_count()->moves;
	unit_core.shared_until = UINT64_MAX;
	unit_core.can_move = true;
	CHECK(hot(COPY));
	CHECK(is(m.ticks, COPY, STEPS));
	CHECK(!m.disturbed);
	CHECK_NUMBER(measure_count()->moves - moves, 1);
	CHECK(unit_core.now < since + ms(20));
}

/* A gap each millisecond, from the first sample on (what finds the batch is not counted) until
 * before the last block, which may be too small to have a median. */
static void gaps(uint64_t ticks, bool counted)
{
	start(MEASURE_ALONE);
	unit_core.gap = ticks;
	unit_core.gap_from = since + ms(1);
	unit_core.gap_until = since + ms(7);
	unit_core.gap_every = ms(1);
	unit_core.counted = counted;
	CHECK(hot(100000));
	CHECK(is(m.ticks, 100000, STEPS));
	CHECK(is(m.minimum, 100000, STEPS));
	CHECK(is(m.high, 100000, STEPS));
	CHECK(unit_core.gaps > 1);
}

/* Not all gaps fall into what is timed. */
TEST(what_has_a_gap_is_thrown_away)
{
	gaps(ms(1) / 4, false);
	uint64_t thrown = measure_count()->interrupted - before.interrupted;
	CHECK(thrown > 0 && thrown <= unit_core.gaps);
	check_counts(m.samples + thrown + shared(), 0, thrown, 0, shared(), 0);
}

TEST(what_has_a_counted_disturbance_is_thrown_away)
{
	gaps(10, true);
	uint64_t thrown = measure_count()->preempted - before.preempted;
	CHECK(thrown > 0);
	check_counts(m.samples + thrown, thrown, 0, 0, 0, 0);
}

TEST(a_core_that_is_disturbed_for_good_gives_no_figure)
{
	start(MEASURE_ALONE);
	unit_core.gap = 10;
	unit_core.gap_every = 20000;
	unit_core.gap_from = since;
	unit_core.gap_until = UINT64_MAX;
	unit_core.counted = true;
	CHECK(!hot(COPY));
	CHECK_TEXT(why, "every sample was disturbed");
	CHECK(unit_core.now < since + ms(150));
}

TEST(copies_from_a_state_are_single_shots_less_the_bracket)
{
	struct state state = { .from = { .n = 1 } };
	start(MEASURE_ALONE);
	CHECK(measure_from(9000, &state, &m, &why));
	CHECK(is(m.ticks, 9000, 5000));
	CHECK_NUMBER(m.samples, MEASURE_SAMPLES_MIN);
	check_undisturbed(MEASURE_SAMPLES_MIN);
	CHECK(unit_core.states >= MEASURE_SAMPLES_MIN);
}

TEST(a_state_that_is_lost_for_a_while_is_waited_for)
{
	struct state state = { .from = { .n = 1 } };
	start(MEASURE_ALONE);
	unit_core.state_lost_until = since + ms(50);
	CHECK(measure_from(LONG, &state, &m, &why));
	CHECK(unit_core.now >= since + ms(50));
	CHECK(shared() > 0);
	check_counts(MEASURE_SAMPLES_MIN + shared(), 0, 0, 0, shared(), 0);
}

TEST(the_core_of_an_emulator_is_not_looked_at)
{
	static struct cpuid_table table;
	start(MEASURE_ALONE);
	cpuid_table_load(CPUID_FOLDER "/qemu64-tcg.txt", &table);
	machine_table = &table;
	identity_start();
	unit_core.chains = 0;
	CHECK(hot(COPY));
	CHECK(is(m.ticks, COPY, STEPS));
	CHECK_NUMBER(m.cycles, 0);
	CHECK_NUMBER(unit_core.chains, 0);
	check_undisturbed(MEASURE_SAMPLES_FEW);
	CHECK_NUMBER(core_hz(), 0);
	machine_table = NULL;
	identity_start();
}

TEST(of_one_operation_what_was_measured_of_many)
{
	m = (struct measured){ .ticks = 5000, .ns = 2000, .samples = 8, .spread = 7 };
	measure_divide(&m, 5);
	CHECK_NUMBER(m.ticks, 1000);
	CHECK_NUMBER(m.ns, 400);
	CHECK_NUMBER(m.samples, 8);
	CHECK_NUMBER(m.spread, 7);
	/* a byte a tick of 2.1 GHz */
	CHECK_NUMBER(measure_kilobytes(8192, 8192000), 2100000000);
	CHECK_NUMBER(measure_kilobytes(8192, 0), 0);
}
