/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/contract.h"

#include "copies/params.h"
#include "lib/format.h"
#include "lib/frequency.h"
#include "lib/option.h"
#include "lib/string.h"
#include "suite/contract/arena.h"
#include "suite/contract/cached.h"
#include "suite/contract/fence.h"
#include "suite/contract/plan.h"
#include "suite/contract/results.h"
#include "suite/contract/tally.h"
#include "suite/record.h"
#include "suite/registry.h"
#include "suite/tap.h"

#define REFERENCE       "byte_loop"
#define REFERENCE_CASES 500u

#define PROGRESS_CASES 1000000u

#define LINE 64u /* bytes in a cache line, at most */

static struct arena arena;
static const struct form *forms;
static size_t form_count;
static struct plan plan;
static uint64_t planned, done; /* cases of all forms */
static const struct routine *broken;

/* ------------------------------------------------------------ case= */

static char case_text[128]; /* "FORM:CASE", or empty */

static bool set_case(const char *value)
{
	struct contract_case c;
	const char *colon = strchr(value, ':'), *bad;
	if (!colon || strlen(value) >= sizeof(case_text) || !case_parse(colon + 1, &c, &bad))
		return false;
	memcpy(case_text, value, strlen(value) + 1);
	return true;
}
OPTION(case, "ROUTINE.FORM:n=N,to=A,from_end=F", "run one contract case and nothing else",
       set_case);

bool contract_one_case(void)
{
	return case_text[0] != '\0';
}

/* ------------------------------------------------------------ the reference */

/* The byte loop is so plain that it can't be wrong: when it breaks the contract, by
 * however little, the machine or this suite is at fault and no other result counts.
 * Ticks that a case takes; 0: none was run. */
static uint64_t check_reference(void)
{
	const struct plan few = { 1, arena.offers, REFERENCE_CASES };
	uint64_t failed = 0, cases = 0, start = machine_ticks();
	for (size_t i = 0; i < form_count; i++) {
		struct tally tally;
		if (strcmp(forms[i].routine->name, REFERENCE) != 0)
			continue;
		tally_run(&arena, &forms[i], &few, &tally);
		cases += tally.cases;
		failed += tally.failed[GRADE_LITERAL] + (tally.slack_max != 0);
	}
	tap_result(cases && !failed, "contract reference: %s leaves exactly what cannot be copied",
		   REFERENCE);
	return cases ? (machine_ticks() - start) / cases : 0;
}

/* ------------------------------------------------------------ all forms */

/* A form whose ends may lie anywhere stores some of their bytes through the cache, so what
 * claims nt has to put their lines out again. */
static const char *breach_by_code(const struct form *form)
{
	const uint8_t *code = (const uint8_t *)form->entry;
	size_t n = form->end - form->entry;
	if (fence_missing(code, n, &copy_params, sizeof(copy_params)))
		return "non-temporal stores and no fence";
	if (form->nt && form->alignment < LINE && !form->routine->saved && !code_flushes(code, n))
		return "claims nt, and neither clflush nor clflushopt for its ends";
	return NULL;
}

/* Times decide nothing here: what they show is told, and does not fail the run. */
static void check_cached(const struct form *form)
{
	const char *why;
	struct contract_case c;
	size_t offset;
	char text[CASE_TEXT_MAX];
	if (!cached_can_be_shown(&arena, &why)) {
		tap_skip(why, "contract %s %s nt", form->routine->name, form->kind_name);
		return;
	}
	bool found = cached_find(&arena, form, &c, &offset);
	tap_todo(!found, "load times are no proof", "contract %s %s nt", form->routine->name,
		 form->kind_name);
	if (found) {
		case_print(&c, text);
		tap_yaml("case: \"%s.%s:%s\"", form->routine->name, form->kind_name, text);
		tap_yaml("breach: \"the line of byte %zu was in the cache after the copy\"",
			 offset);
		tap_yaml_end();
	}
	arena_restore(&arena);
}

/* Whether the form keeps what it claims. */
static bool print_form(const struct form *form, const struct tally *tally)
{
	const char *by_code = breach_by_code(form);
	results_grades(&arena, form, tally, by_code);
	results_figures(form, tally);
	if (form->nt && !tally->failed[form->claims])
		check_cached(form);
	return tally->failed[form->claims] == 0 && !by_code;
}

static void print_estimate(uint64_t case_ticks)
{
	uint64_t hz = machine_clock()->tsc_hz;
	plan = plan_make(forms, form_count, arena.offers);
	planned = done = 0;
	for (size_t i = 0; i < form_count; i++) {
		struct cases cases = plan_cases(&plan, &forms[i]);
		planned += plan_runs(&forms[i]) ? plan_count(&plan, &cases) : 0;
	}
	record_text("contract: about %llu cases, %u of %u alignments at each fault position",
		    (unsigned long long)planned, (unsigned)plan.turns, TURNS_ALL);
	if (hz)
		record_text("contract: about %llu s of one CPU",
			    (unsigned long long)multiply_divide(planned, case_ticks, hz));
}

/* In long runs, a line after each tenth. */
static void print_progress(uint64_t cases)
{
	uint64_t before = done, tenth = planned / 10;
	done += cases;
	if (tenth >= PROGRESS_CASES && done / tenth > before / tenth)
		record_text("contract: %llu of about %llu cases", (unsigned long long)done,
			    (unsigned long long)planned);
}

static bool begin_forms(void)
{
	uint32_t offers = arena.offers;
	const char *why;
	return arena_map(&arena, &why) && arena.offers == offers;
}

static void run_form(size_t number, void *tally)
{
	if (plan_runs(&forms[number]))
		tally_run(&arena, &forms[number], &plan, tally);
}

/* Forms of a routine follow each other. One that breaks its contract is not timed: its
 * figures would be worth nothing, and timing it might never end. */
static void finish_form(size_t number, void *result)
{
	const struct form *form = &forms[number];
	const struct tally *tally = result;
	machine_progress("contract", (unsigned)number, (unsigned)form_count);
	if (!plan_runs(form)) {
		if (registry_chosen(form->routine))
			results_skip(form);
		return;
	}
	if (!print_form(form, tally))
		broken = form->routine;
	print_progress(tally->cases);
	if (broken == form->routine &&
	    (number + 1 == form_count || forms[number + 1].routine != broken))
		registry_exclude(broken, "broke its contract");
}

static void check_forms(void)
{
	struct tally tally;
	const struct machine_jobs jobs = { form_count, sizeof(tally), begin_forms,
					   run_form,   finish_form,   &tally };
	machine_share_out(&jobs);
}

/* ------------------------------------------------------------ runs */

static void check_one_case(void)
{
	const char *colon = strchr(case_text, ':'), *bad;
	struct contract_case c;
	case_parse(colon + 1, &c, &bad);
	for (size_t i = 0; i < form_count; i++) {
		const struct form *form = &forms[i];
		char name[64];
		int length =
			format(name, sizeof(name), "%s.%s", form->routine->name, form->kind_name);
		if (length != colon - case_text || strncmp(name, case_text, (size_t)length) != 0)
			continue;
		if (form->routine->lacks[0]) {
			results_skip(form);
		} else if (!case_admissible(form, &c)) {
			tap_result(false, "contract %s: not a case of this form", case_text);
		} else if (!case_offered(&c, arena.offers)) {
			tap_skip("this machine has no such memory", "contract %s %s", case_text,
				 grade_names[form->claims]);
		} else {
			struct trial t;
			arena_run(&arena, form, &c, LOOK_EVERYWHERE, &t);
			tap_result(verdict_holds(&t.verdict, form->claims), "contract %s %s",
				   case_text, grade_names[form->claims]);
			results_trial(form, &c, &t);
			tap_yaml_end();
		}
		return;
	}
	tap_result(false, "contract %s: no such form (list=copies names them)", case_text);
}

bool contract_again(const struct form *form, uint64_t cases)
{
	struct plan sample = { 1, 0, cases };
	char text[CASE_TEXT_MAX];
	struct tally tally;
	const char *why;
	bool mapped = arena_map(&arena, &why);
	sample.offers = arena.offers;
	if (mapped)
		tally_run(&arena, form, &sample, &tally);
	else
		record_text("contract: no memory to run it in: %s", why);
	arena_unmap(&arena);
	if (!mapped)
		return false;
	results_figures(form, &tally);
	if (!tally.failed[form->claims])
		return true;
	case_print(&tally.first[form->claims], text);
	record_text("  the first that failed: case=%s.%s:%s", form->routine->name, form->kind_name,
		    text);
	return false;
}

void contract_run(void)
{
	const char *why;
	form_count = registry_forms(&forms);
	if (!arena_map(&arena, &why)) {
		tap_result(false, "contract: no memory to run it in: %s", why);
	} else if (contract_one_case()) {
		check_one_case();
	} else {
		print_estimate(check_reference());
		check_forms();
	}
	arena_unmap(&arena);
}
