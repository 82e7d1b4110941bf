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
#define NOPS_CALLS  50u
#define CLOCK_PPM   5000u
#define SHARED_PPM  50000u
#define NETBURST    15u /* Intel's family whose adders run at twice the clock... */
#define PRESCOTT    3u  /* ...until this model */
#define FULL_CHAIN  ((uint64_t)PROBE_LENGTH * 1000)

/* The fewest cycles that the nops ever took here, in thousandths: the core alone. */
static uint64_t best_nops;

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

/* Ticks a call, in thousandths: the difference of `calls` and twice as many. An
 * interruption makes one of several readings wrong, and the median leaves it out. */
static uint64_t probe(size_t (*code)(void *, const void *, size_t), uint32_t calls)
{
	uint64_t took[LOOKS];
	for (unsigned i = 0; i < LOOKS; i++) {
		uint64_t one = machine_time((uintptr_t)code, NULL, NULL, 0, calls);
		uint64_t two = machine_time((uintptr_t)code, NULL, NULL, 0, 2 * calls);
		took[i] = two > one ? (two - one) * 1000 / calls : 0;
	}
	stats_sort(took, LOOKS);
	return stats_median(took, LOOKS);
}

void core_look(struct core_state *state)
{
	state->chain = probe(probe_chain, CHAIN_CALLS);
	state->nops = probe(probe_nops, NOPS_CALLS);
	state->counted = 0;
	state->tsc = machine_ticks();
	machine_core_count(&state->counted, &source);
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

/* The slower of two looks a block apart is taken for the best: one reading alone may
 * be too small by an interruption in its subtrahend. */
static bool shared(const struct core_state *before, const struct core_state *after)
{
	uint64_t one = core_cycles(before->nops, before), two = core_cycles(after->nops, after);
	uint64_t slower = one > two ? one : two;
	if (!best_nops || slower < best_nops)
		best_nops = slower;
	return slower > best_nops && frequency_apart(slower, best_nops) > SHARED_PPM;
}

enum core_verdict core_judge(const struct core_state *before, const struct core_state *after)
{
	if (frequency_apart(before->chain, after->chain) > CLOCK_PPM)
		return CORE_CLOCK;
	return shared(before, after) ? CORE_SHARED : CORE_STEADY;
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
