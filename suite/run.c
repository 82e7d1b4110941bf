/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of a run, and the options that decide what is in it. */
#include "lib/option.h"
#include "lib/string.h"
#include "suite/contract/contract.h"
#include "suite/experiment.h"
#include "suite/fpu.h"
#include "suite/identity.h"
#include "suite/list.h"
#include "suite/measure.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/registry.h"
#include "suite/suite.h"
#include "suite/tap.h"

/* ------------------------------------------------------------ options */

#define ROUNDS_MAX 1000

static struct suite_options asked;
static bool level_given;
static unsigned long long rounds_given; /* 0: not */
static unsigned long long seed_given = 1;
static const char *experiments_chosen; /* exp=, NULL: all */

static const char *const level_names[] = { "quick", "standard", "full", "contract" };

static bool set_suite(const char *value)
{
	for (size_t i = 0; i < sizeof(level_names) / sizeof(level_names[0]); i++) {
		if (strcmp(value, level_names[i]) == 0) {
			asked.level = (enum suite_level)i;
			level_given = true;
			return true;
		}
	}
	return false;
}
OPTION(suite, "quick|standard|full|contract",
       "how much is run; quick under an emulator, standard elsewhere", set_suite);

static bool set_depth(const char *value)
{
	asked.depth_max = strcmp(value, "max") == 0;
	return asked.depth_max;
}
OPTION(depth, "max", "every combination of the contract's axes: for a night", set_depth);

static bool set_rounds(const char *value)
{
	unsigned long long n;

	if (!option_number(value, &n) || n < 1 || n > ROUNDS_MAX)
		return false;
	rounds_given = n;
	return true;
}
OPTION(rounds, "1..1000", "how often each experiment visits its cells; 3, or 10 in suite=full",
       set_rounds);

static bool set_seed(const char *value)
{
	return option_number(value, &seed_given);
}
OPTION(seed, "N", "of every random choice: same seed, same choices (1)", set_seed);

#define NO_EXPERIMENT "none"

static bool set_exp(const char *value)
{
	if (!*value)
		return false;
	experiments_chosen = value;
	return true;
}
OPTION(exp, "none or names of list=experiments", "only these experiments, commas between them",
       set_exp);

static bool is_named(const struct experiment *e, const char *name, size_t length)
{
	return strlen(e->name) == length && strncmp(e->name, name, length) == 0;
}

static bool is_experiment(const char *name, size_t length)
{
	for (const struct experiment *e = __start_experiments; e < __stop_experiments; e++)
		if (is_named(e, name, length))
			return true;
	return false;
}

static void check_experiments(void)
{
	const char *rest = experiments_chosen, *name;
	size_t length;
	bool any = false;

	if (!experiments_chosen || strcmp(experiments_chosen, NO_EXPERIMENT) == 0)
		return;
	while (option_item(&rest, &name, &length)) {
		if (is_experiment(name, length))
			any = true;
		else
			record_text("option error: no experiment is named \"%.*s\"; "
				    "list=experiments prints them",
				    (int)length, name);
	}
	if (!any) {
		record_text("option error: exp= names no experiment and is left out");
		experiments_chosen = NULL;
	}
}

static void complete_options(void)
{
	if (!level_given)
		asked.level = identity_timing() == TIMING_EMULATED ? SUITE_QUICK : SUITE_STANDARD;
	asked.rounds = rounds_given ? (unsigned)rounds_given : asked.level == SUITE_FULL ? 10 : 3;
	asked.seed = seed_given;
}

const struct suite_options *suite_options(void)
{
	return &asked;
}

/* ------------------------------------------------------------ the head of the record */

static void print_problem(const struct option_problem *p)
{
	switch (p->what) {
	case OPTION_UNKNOWN:
		record_text("option error: unknown option \"%s\"; list=options prints them",
			    p->word);
		break;
	case OPTION_NOT_KEY_VALUE:
		record_text("option error: \"%s\" is not key=value; list=options prints them",
			    p->word);
		break;
	case OPTION_BAD_VALUE:
		record_text("option error: bad value in \"%s\"; %s takes %s", p->word,
			    p->option->name, p->option->values);
		break;
	case OPTION_TOO_LONG:
		record_text("option error: the command line is too long; left out from \"%s\" on",
			    p->word);
		break;
	}
}

static void print_problems(void)
{
	const struct option_problem *problems;
	size_t count = options_problems(&problems);

	for (size_t i = 0; i < count && i < OPTION_PROBLEMS_MAX; i++)
		print_problem(&problems[i]);
	if (count > OPTION_PROBLEMS_MAX)
		record_text("option error: %zu more", count - OPTION_PROBLEMS_MAX);
}

static void print_head(void)
{
	record_start();
	identity_start();
	identity_print();
	complete_options();
	machine_seed(asked.seed);
	record_meta("args", "%s", options_text()[0] ? options_text() : "none");
	record_meta("seed", "%llu", (unsigned long long)asked.seed);
	record_line("Unit MB/s better=higher");
	print_problems();
	check_experiments();
	if (machine_identity()->serial)
		record_text("serial: %s", machine_identity()->serial);
	record_text("suite=%s, %u rounds", level_names[asked.level], asked.rounds);
	identity_caution();
}

/* ------------------------------------------------------------ what is run */

static bool wanted(const struct experiment *e)
{
	const char *rest = experiments_chosen, *name;
	size_t length;

	if (!experiments_chosen)
		return asked.level != SUITE_CONTRACT;
	while (option_item(&rest, &name, &length))
		if (is_named(e, name, length))
			return true;
	return false;
}

static void run_experiment(const struct experiment *e)
{
	const char *lacks = experiment_lacks(e);
	enum experiment_result result;

	if (lacks) {
		record_text("experiment %s: skipped: %s", e->name, lacks);
		tap_skip(lacks, "experiment %s", e->name);
		return;
	}
	record_text("experiment %s: %s", e->name, e->title);
	identity_caution();
	result = e->run();
	if (result == EXPERIMENT_SKIPPED)
		tap_skip(experiment_skipped(), "experiment %s", e->name);
	else
		tap_result(result == EXPERIMENT_DONE, "experiment %s", e->name);
}

static void run_experiments(void)
{
	unsigned done = 0, total = 0;

	for (const struct experiment *e = NULL; (e = experiment_after(e));)
		total += wanted(e);
	for (const struct experiment *e = NULL; (e = experiment_after(e));) {
		if (!wanted(e))
			continue;
		machine_progress("experiments", done++, total);
		run_experiment(e);
	}
}

static void print_disturbed(void)
{
	const struct measure_count *c = measure_count();
	uint64_t thrown = c->preempted + c->interrupted + c->clock + c->shared;

	if (c->moves)
		record_text("moved %llu times to another CPU of the same kind",
			    (unsigned long long)c->moves);
	record_meta("disturbed",
		    "%llu of %llu preempted=%llu interrupted=%llu clock=%llu shared=%llu kept=%llu",
		    (unsigned long long)thrown, (unsigned long long)c->taken,
		    (unsigned long long)c->preempted, (unsigned long long)c->interrupted,
		    (unsigned long long)c->clock, (unsigned long long)c->shared,
		    (unsigned long long)c->kept);
}

bool suite_run(void)
{
	print_head();
	fpu_start();
	registry_start();
	tap_start();
	tap_result(registry_sound(), "every copy routine's declaration makes sense");
	if (list_wanted()) {
		list_print();
	} else {
		contract_run();
		if (!contract_one_case())
			run_experiments();
	}
	tap_end();
	print_disturbed();
	record_end();
	return !record_failed();
}
