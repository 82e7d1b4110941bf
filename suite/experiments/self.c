/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine measures itself: what its figures can be trusted to. */
#include "lib/probe.h"
#include "suite/core.h"
#include "suite/experiment.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/measure.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/state.h"
#include "suite/stats.h"

#include "lib/format.h"

#define NAME        "self"
#define BRACKETS    2000u
#define DRIFT_LOOKS 20u
#define STATE_BYTES 8192u
#define STATE_TRIES 15u

static const char *text(uint64_t thousandths, unsigned decimals)
{
	static struct fixed_text kept[4];
	static unsigned next;
	struct fixed_text *t = &kept[next++ % 4];
	*t = fixed(thousandths, decimals);
	return t->text;
}

/* Percent between two figures, of the smaller, in thousandths. */
static uint64_t percent_apart(uint64_t a, uint64_t b)
{
	return stats_spread(a < b ? a : b, a < b ? b : a, a < b ? a : b);
}

/* ------------------------------------------------------------ the bracket */

static void show_bracket(void)
{
	static uint64_t ticks[BRACKETS];
	uint32_t step = machine_clock()->tsc_step, near = 0;
	for (unsigned i = 0; i < BRACKETS; i++)
		ticks[i] = machine_time(0, NULL, NULL, 0, 0);
	stats_sort(ticks, BRACKETS);
	for (unsigned i = 0; i < BRACKETS; i++)
		near += ticks[i] < ticks[0] + 2 * step;
	record_text("%s: time-stamp counter: steps of %u ticks", NAME, step);
	record_text(
		"%s: empty bracket: smallest %llu ticks, median %llu, 95 %% up to %llu; %s %% of "
		"%u are less than 2 steps above the smallest",
		NAME, (unsigned long long)ticks[0], (unsigned long long)ticks[BRACKETS / 2],
		(unsigned long long)ticks[BRACKETS * 95 / 100],
		text((uint64_t)near * 100000 / BRACKETS, 1), BRACKETS);
	record_text("%s: resolution: a hot sample rests on %u steps or more (%s %%), a cold one on "
		    "%u (%s %%)",
		    NAME, MEASURE_STEPS, text(200000 / MEASURE_STEPS, 1), MEASURE_STEPS_SHOT,
		    text(200000 / MEASURE_STEPS_SHOT, 1));
}

/* ------------------------------------------------------------ the core */

static void show_probe(const char *name, size_t (*code)(void *, const void *, size_t),
		       uint64_t expected)
{
	struct measured m;
	const char *why;
	if (!measure_hot((uintptr_t)code, NULL, NULL, 0, &m, &why)) {
		record_text("%s: %s: no figure: %s", NAME, name, why);
		return;
	}
	if (m.cycles && expected)
		record_text("%s: %s: %s ticks, %s core cycles, %s %% off the %s expected", NAME,
			    name, text(m.ticks, 1), text(m.cycles, 1),
			    text(percent_apart(m.cycles, expected), 2), text(expected, 0));
	else if (m.cycles)
		record_text("%s: %s: %s ticks, %s core cycles, %s a cycle", NAME, name,
			    text(m.ticks, 1), text(m.cycles, 1),
			    text(PROBE_LENGTH * 1000000ull / m.cycles, 2));
	else
		record_text("%s: %s: %s ticks; core cycles are not known here", NAME, name,
			    text(m.ticks, 1));
}

/* How far the core's clock moves while nothing is asked of it. */
static void show_drift(void)
{
	struct core_state state;
	uint64_t hz = machine_clock()->tsc_hz, low = UINT64_MAX, high = 0;
	if (!core_known() || !hz)
		return;
	for (unsigned i = 0; i < DRIFT_LOOKS; i++) {
		core_look(&state);
		uint64_t now = core_cycles(hz, &state);
		low = now < low ? now : low;
		high = now > high ? now : high;
		uint64_t until = machine_ticks() + hz / 500;
		while (machine_ticks() < until)
			;
	}
	record_text("%s: core clock: %s to %s MHz in %u looks, 2 ms between them; cycles by %s",
		    NAME, text(low / 1000, 1), text(high / 1000, 1), DRIFT_LOOKS, core_source());
}

static void show_events(void)
{
	static const char *const names[EVENTS] = { "core cycles", "instructions",
						   "references to the last cache",
						   "misses of the last cache",
						   "misses of the TLB" };
	for (unsigned i = 0; i < EVENTS; i++) {
		uint64_t before, after;
		const char *why;
		if (machine_event((enum event)i, &before, &why) &&
		    machine_event((enum event)i, &after, &why))
			record_text("%s: counter of %s: passed its test", NAME, names[i]);
		else
			record_text("%s: counter of %s: n/a: %s", NAME, names[i], why);
	}
}

/* ------------------------------------------------------------ states */

static void show_setter(struct state *s, const char *name)
{
	uint64_t ticks[STATE_TRIES], hz = machine_clock()->tsc_hz;
	for (unsigned i = 0; i < STATE_TRIES; i++) {
		uint64_t start = machine_ticks();
		state_set(s);
		ticks[i] = machine_ticks() - start;
	}
	stats_sort(ticks, STATE_TRIES);
	uint64_t median = stats_median(ticks, STATE_TRIES);
	if (hz)
		record_text("%s: making state %s of 2 x %u bytes: %s us", NAME, name, STATE_BYTES,
			    text(median * 1000000 / (hz / 1000), 1));
	else
		record_text("%s: making state %s of 2 x %u bytes: %llu ticks", NAME, name,
			    STATE_BYTES, (unsigned long long)median);
}

static void show_level(struct state *s, enum cache_level level)
{
	const char *why;
	bool reached = state_reached(level, STATE_BYTES, &why);
	if (state_latency(level))
		record_text("%s: a line from %s: %s ticks", NAME, level_name(level),
			    text(state_latency(level), 1));
	if (!reached) {
		record_text("%s: state %s skipped: %s", NAME, level_name(level), why);
		return;
	}
	s->from.level = s->to.level = level;
	s->tlb = TLB_HOT;
	show_setter(s, level_name(level));
}

static void show_tlb(struct state *s, enum tlb_state tlb)
{
	const char *why;
	if (!state_tlb_reached(tlb, &why)) {
		record_text("%s: TLB state %s skipped: %s", NAME, tlb_name(tlb), why);
		return;
	}
	s->from.level = s->to.level = LEVEL_L1;
	s->tlb = tlb;
	show_setter(s, tlb_name(tlb));
}

static enum experiment_result show_states(void)
{
	struct area to, from;
	const char *why;
	if (!machine_area_map(AREA_USER, ACCESS_READ_WRITE, STATE_BYTES, &to, &why) ||
	    !machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, STATE_BYTES, &from, &why)) {
		record_text("%s: no memory for it: %s", NAME, why);
		return EXPERIMENT_DIED;
	}
	struct state s = { .from = { from.base, from.alias, STATE_BYTES, LEVEL_L1, false },
			   .to = { to.base, to.alias, STATE_BYTES, LEVEL_L1, false } };
	for (unsigned level = 0; level < LEVELS; level++)
		show_level(&s, (enum cache_level)level);
	for (unsigned tlb = TLB_STLB; tlb < TLB_STATES; tlb++)
		show_tlb(&s, (enum tlb_state)tlb);
	machine_area_unmap(&to);
	machine_area_unmap(&from);
	return EXPERIMENT_DONE;
}

static enum experiment_result run(void)
{
	show_bracket();
	show_probe("1000 dependent additions", probe_chain, core_chain_cycles());
	show_probe("1000 nops", probe_nops, 0);
	show_drift();
	show_events();
	enum experiment_result result = show_states();
	const struct measure_count *c = measure_count();
	if (c->taken)
		record_text("%s: disturbed so far: %s %% of %llu samples", NAME,
			    text((c->preempted + c->interrupted + c->clock + c->shared) * 100000 /
					 c->taken,
				 1),
			    (unsigned long long)c->taken);
	return result;
}

EXPERIMENT(self, NAME, "what the engine's own figures can be trusted to", 0, run);
