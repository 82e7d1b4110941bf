/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What it costs a program to enter the kernel and come back, before anything is copied:
 * by each way in, for a call that does nothing and for one that copies 8 bytes out, so
 * that the price of pti= and harden= is seen by itself.
 */
#include "lib/format.h"
#include "suite/experiment.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/world/world.h"

#define NAME  "entry"
#define CALLS 100u
#define MS    10u

static const struct {
	const char *name; /* as what is called */
	user_program *program;
	uint64_t bytes;
} calls[] = {
	{ "null", program_null, 0 },
	{ "clock", program_clock, sizeof(uint64_t) },
};
#define KINDS (sizeof(calls) / sizeof(calls[0]))

static bool measure_kind(const char *entry, unsigned kind)
{
	struct world_job job = { .entry = entry, .program = calls[kind].program, .calls = CALLS };
	struct measured m;
	const char *why;
	if (!world_measure(&job, MS, &m, &why)) {
		record_text("%s: %s by %s: %s", NAME, calls[kind].name, entry, why);
		return false;
	}
	struct benchmark b = {
		.exp = NAME,
		.copy = calls[kind].bytes ? "rep_movsb" : "none",
		.n = calls[kind].bytes,
		.samples = m.samples,
		.ns = m.ns,
		.ticks = m.ticks,
		.cycles = m.cycles,
		.ci = m.spread,
	};
	record_benchmark(&b, "entry=%s/call=%s", entry, calls[kind].name);
	record_text("%10s %8s %12s ticks %12s ns", entry, calls[kind].name, fixed(m.ticks, 1).text,
		    fixed(m.ns, 1).text);
	return true;
}

static void measure_all(void)
{
	const char *entry;
	for (unsigned round = 0; round < suite_options()->rounds; round++)
		for (unsigned i = 0; (entry = machine_user_entry(i)); i++)
			for (unsigned kind = 0; kind < KINDS; kind++)
				measure_kind(entry, kind);
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
	bool sound = !world_count()->failures;
	world_close();
	return sound ? EXPERIMENT_DONE : EXPERIMENT_DIED;
}
EXPERIMENT(entry, NAME, "what a call from user mode costs by itself", 0, run);
