/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/core.h"

#include "lib/frequency.h"
#include "lib/probe.h"
#include "lib/string.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/stats.h"

#define LOOKS       3u
#define CHAIN_CALLS 20u
#define FIRST_LOOKS 200u /* enough for a moment alone, where another thread comes and goes */
#define FIRST_TRIES 5u
#define NEAR_PPM    20000u
#define VOTES       3u
#define CLOCK_PPM   5000u
#define NETBURST    15u /* Intel's family whose adders run at twice the clock... */
#define PRESCOTT    3u  /* ...until this model */
#define FULL_CHAIN  ((uint64_t)PROBE_LENGTH * 1000)

static uint64_t words[2][PROBE_MOVES] __attribute__((aligned(64)));

/* What shows that the core is shared, and by how much it is slower then at least. */
static const struct probe {
	size_t (*code)(void *, const void *, size_t);
	uint32_t calls, ppm;
} probes[CORE_PROBES] = { { probe_nops, 10, 100000 }, { probe_moves, 10, 250000 } };

/* The fewest cycles that each ever took here, in thousandths: the core alone. Only what lies
 * between two looks at one clock counts, or a clock that has risen would pass for it; and what is
 * much less than the best so far must come VOTES times in a row, for the clock can rise in between
 * too. */
static struct {
	uint64_t cycles, less;
	unsigned votes; /* for `less` */
} best[CORE_PROBES];
static struct core_state last; /* look */

/* Ticks since then. */
static uint64_t least[CORE_PROBES] = { UINT64_MAX, UINT64_MAX };

static const char *source; /* of the machine's count of cycles */

bool core_known(void)
{
	return identity_timing() != TIMING_EMULATED;
}

uint64_t core_chain_cycles(void)
{
	const struct cpu *cpu = identity_cpu();
	bool netburst = cpu->family == NETBURST && cpu->model < PRESCOTT &&
			strcmp(cpu->vendor, "GenuineIntel") == 0;
	return netburst ? FULL_CHAIN / 2 : FULL_CHAIN;
}

/* Ticks of a chain, in thousandths: the difference of some calls and twice as many. Whatever
 * disturbs makes a reading larger, and the smallest are free of it. */
static uint64_t time_chain(void)
{
	uint64_t one = UINT64_MAX, two = UINT64_MAX;
	for (unsigned i = 0; i < LOOKS; i++) {
		uint64_t a = machine_time((uintptr_t)probe_chain, NULL, NULL, 0, CHAIN_CALLS);
		uint64_t b = machine_time((uintptr_t)probe_chain, NULL, NULL, 0, 2 * CHAIN_CALLS);
		one = a < one ? a : one;
		two = b < two ? b : two;
	}
	return two > one ? (two - one) * 1000 / CHAIN_CALLS : 0;
}

void core_look(struct core_state *state)
{
	state->chain = time_chain();
	state->counted = 0;
	state->tsc = machine_ticks();
	machine_core_count(&state->counted, &source);
	for (unsigned i = 0; i < CORE_PROBES; i++) {
		state->least[i] = least[i];
		least[i] = UINT64_MAX;
	}
	last = *state;
}

static void note_best(unsigned i, uint64_t cycles)
{
	if (!best[i].cycles || frequency_apart(cycles, best[i].cycles) <= NEAR_PPM) {
		if (!best[i].cycles || cycles < best[i].cycles)
			best[i].cycles = cycles;
		best[i].votes = 0;
	} else if (cycles < best[i].cycles) {
		bool again = frequency_apart(cycles, best[i].less) <= NEAR_PPM;
		best[i].votes = again ? best[i].votes + 1 : 1;
		best[i].less = cycles;
		if (best[i].votes >= VOTES)
			best[i].cycles = cycles;
	}
}

bool core_steady(const struct core_state *before, const struct core_state *after)
{
	if (frequency_apart(before->chain, after->chain) > CLOCK_PPM)
		return false;
	for (unsigned i = 0; i < CORE_PROBES; i++)
		if (after->least[i] != UINT64_MAX)
			note_best(i, core_cycles(after->least[i], after));
	return true;
}

/* With its bracket: that is the same each time, and the difference of two readings would be
 * less sure and last longer. A first call brings back what our own copies have pushed out. */
static uint64_t time_probe(unsigned i)
{
	uintptr_t code = (uintptr_t)probes[i].code;
	machine_time(code, words[0], words[1], 0, 1);
	uint64_t ticks = machine_time(code, words[0], words[1], 0, probes[i].calls) * 1000;
	least[i] = ticks < least[i] ? ticks : least[i];
	return ticks;
}

/* Of a few tries the middle one, so that none is too good. */
static void find_best(void)
{
	uint64_t found[CORE_PROBES][FIRST_TRIES];
	struct core_state look;
	core_look(&look);
	for (unsigned try = 0; try < FIRST_TRIES; try++) {
		for (unsigned j = 0; j < FIRST_LOOKS * CORE_PROBES; j++)
			time_probe(j % CORE_PROBES);
		core_look(&look);
		for (unsigned i = 0; i < CORE_PROBES; i++)
			found[i][try] = core_cycles(look.least[i], &look);
	}
	for (unsigned i = 0; i < CORE_PROBES; i++) {
		stats_sort(found[i], FIRST_TRIES);
		best[i].cycles = stats_median(found[i], FIRST_TRIES);
	}
}

/* On bare metal all other threads sleep. */
static bool can_be_shared(void)
{
	return identity_timing() == TIMING_HOSTED || identity_timing() == TIMING_VIRTUAL;
}

bool core_alone(void)
{
	if (!can_be_shared())
		return true;
	if (!best[0].cycles)
		find_best();
	uint64_t steps = core_cycles(2000ull * machine_clock()->tsc_step, &last);
	for (unsigned i = 0; i < CORE_PROBES; i++) {
		uint64_t cycles = core_cycles(time_probe(i), &last);
		if (cycles > best[i].cycles + steps &&
		    frequency_apart(cycles, best[i].cycles) > probes[i].ppm)
			return false;
	}
	return true;
}

uint64_t core_chain(const struct core_state *before, const struct core_state *after)
{
	uint64_t cycles = after->counted - before->counted;
	if (!after->counted || !cycles)
		return after->chain;
	return multiply_divide(after->tsc - before->tsc, core_chain_cycles(), cycles);
}

const char *core_source(void)
{
	uint64_t cycles;
	if (!core_known())
		return "none";
	return machine_core_count(&cycles, &source) ? source : "chain";
}

uint64_t core_cycles(uint64_t ticks, const struct core_state *state)
{
	return state->chain ? multiply_divide(ticks, core_chain_cycles(), state->chain) : 0;
}

uint64_t core_hz(void)
{
	struct core_state state;
	uint64_t hz = machine_clock()->tsc_hz;
	if (!core_known() || !hz)
		return 0;
	core_look(&state);
	return core_cycles(hz, &state);
}
