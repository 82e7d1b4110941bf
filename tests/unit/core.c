/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/core.h"

#include "lib/probe.h"
#include "lib/random.h"
#include "suite/machine.h"
#include "suite/state.h"

#include <stdio.h>
#include <stdlib.h>

#define BRACKET 300u
#define NOPS    250u
#define END     100000000000u /* longer than any test takes */

struct unit_core unit_core;

static struct random chance_of_loops = { 1 };
static bool slow_loop; /* the one that runs */

/* The nearest time that the counter shows. */
static uint64_t shown(void)
{
	uint32_t step = machine_clock()->tsc_step;
	return unit_core.now / step * step;
}

static bool is_probe(uintptr_t entry)
{
	return entry == (uintptr_t)probe_chain || entry == (uintptr_t)probe_nops ||
	       entry == (uintptr_t)probe_moves;
}

static uint64_t cycles_of(uintptr_t entry)
{
	struct random chance = random_seeded(unit_core.now);
	bool shared = unit_core.now >= unit_core.shared_from &&
		      unit_core.now < unit_core.shared_until &&
		      (!unit_core.shared_every ||
		       unit_core.now % unit_core.shared_every < unit_core.shared_for);
	if (entry == (uintptr_t)probe_chain)
		return PROBE_LENGTH;
	uint64_t cycles = entry;
	if (entry == (uintptr_t)probe_nops)
		cycles = NOPS;
	if (entry == (uintptr_t)probe_moves)
		cycles = PROBE_MOVES;
	if (unit_core.varies && !is_probe(entry))
		cycles += cycles * random_below(&chance, unit_core.varies) / 1000;
	if (slow_loop && !is_probe(entry))
		cycles += cycles * unit_core.slower / 1000;
	if (unit_core.waits && entry == (uintptr_t)probe_nops)
		return cycles;
	return shared ? cycles * (unit_core.times ? unit_core.times : 2) : cycles;
}

static void spend(uint64_t cycles)
{
	unsigned lower = unit_core.now >= unit_core.lower_from ? unit_core.lower : 0;
	unit_core.cycles += cycles;
	unit_core.now += cycles * (100 + lower) / 100;
}

static void run(uintptr_t entry)
{
	unit_core.chains += entry == (uintptr_t)probe_chain;
	spend(cycles_of(entry));
	if (unit_core.now < unit_core.gap_from || unit_core.gap_from >= unit_core.gap_until)
		return;
	unit_core.now += unit_core.gap;
	unit_core.gap_from += unit_core.gap_every;
	unit_core.disturbances += unit_core.counted;
	unit_core.gaps += !is_probe(entry);
}

uint64_t machine_time(uintptr_t entry, void *to, const void *from, size_t n, size_t count)
{
	(void)to, (void)from, (void)n;
	uint64_t start = shown();
	slow_loop = unit_core.slower && random_below(&chance_of_loops, 2);
	spend(BRACKET);
	while (count--)
		run(entry);
	if (unit_core.now > END) {
		fprintf(stderr, "measuring does not end\n");
		exit(2);
	}
	return shown() - start;
}

uint64_t machine_ticks(void)
{
	return shown();
}

uint64_t machine_disturbances(void)
{
	return unit_core.disturbances;
}

bool machine_move(void)
{
	if (unit_core.can_move)
		unit_core.shared_until = 0;
	return unit_core.can_move;
}

bool machine_core_count(uint64_t *cycles, const char **source)
{
	if (!unit_core.counts_cycles)
		return false;
	*cycles = unit_core.cycles;
	*source = "counter";
	return true;
}

void machine_user_access(bool open)
{
	(void)open;
}

void state_set(const struct state *state)
{
	(void)state;
	unit_core.states++;
}

bool state_holds(const struct state *state)
{
	(void)state;
	return unit_core.now >= unit_core.state_lost_until;
}
