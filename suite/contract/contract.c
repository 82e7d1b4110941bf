/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/contract.h"

#include "copies/params.h"
#include "lib/format.h"
#include "lib/frequency.h"
#include "lib/option.h"
#include "lib/string.h"
#include "suite/contract/arena.h"
#include "suite/contract/cached.h"
#include "suite/contract/case.h"
#include "suite/contract/fence.h"
#include "suite/contract/generate.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/registry.h"
#include "suite/report.h"
#include "suite/tap.h"

#define REFERENCE "byte_loop"

/* A routine that faults where it must not does so in most cases: no need to see all. */
#define GIVE_UPS_MAX 100u
/* Shrinking: cases tried. A hang costs the watchdog's time at each. */
#define SHRINK_TRIES      600u
#define SHRINK_TRIES_HANG 8u

#define PROGRESS_CASES 1000000u

#define LINE 64u /* bytes in a cache line, at most */

#define GRADES 2
static const char *const grade_names[GRADES] = {
	[GRADE_SAFE] = "safe", [GRADE_LITERAL] = "literal"
};

/* What the cases of one form came to. */
struct tally {
	uint64_t cases, faulting;
	uint64_t failed[GRADES];
	struct contract_case first[GRADES]; /* the first that failed */
	uint64_t source_faults, nothing;    /* of those with a readable byte: nothing copied */
	uint64_t destination_faults, stray; /* of those: stores past n - residue */
	uint64_t slack_sum;
	size_t slack_max;
	unsigned give_ups;
	bool hung;
	const char *by_code; /* what its code is found to lack, or NULL */
};

static struct arena arena;

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

/* ------------------------------------------------------------ running */

/* How the cases of a form are chosen. */
struct plan {
	uint32_t turns;
	uint64_t wanted; /* a sample of so many of them */
};

#define ALL_CASES UINT64_MAX
/* What a run aims at in all: seconds under an emulator, seconds elsewhere, minutes under
 * an emulator. */
#define QUICK_CASES    150000u
#define STANDARD_CASES 2000000u
#define CONTRACT_CASES 12000000u
#define CONTRACT_TURNS 16u

static struct cases cases_of(const struct form *form, uint32_t turns)
{
	return cases_make(form->kind, form->memmove, turns, arena.offers);
}

static uint64_t count_cases(const struct form *form, uint32_t turns)
{
	struct cases cases = cases_of(form, turns);
	return cases_count(&cases);
}

static bool runs(const struct form *form)
{
	return registry_chosen(form->routine) && !form->routine->lacks[0];
}

/* As many turns as the forms chosen leave room for. */
static uint32_t turns_within(const struct form *forms, size_t count, uint64_t cases)
{
	uint32_t turns = 1;
	while (turns < CONTRACT_TURNS) {
		uint64_t all = 0;
		for (size_t i = 0; i < count; i++)
			all += runs(&forms[i]) ? count_cases(&forms[i], turns * 2) : 0;
		if (all > cases)
			break;
		turns *= 2;
	}
	return turns;
}

/* Cases for each of the forms chosen, `least` or more. */
static uint64_t share(const struct form *forms, size_t count, uint64_t cases, uint64_t least)
{
	uint64_t running = 0;
	for (size_t i = 0; i < count; i++)
		running += runs(&forms[i]);
	return running && cases / running > least ? cases / running : least;
}

static struct plan make_plan(const struct form *forms, size_t count)
{
	const struct suite_options *options = suite_options();
	if (options->depth_max)
		return (struct plan){ TURNS_ALL, ALL_CASES };
	switch (options->level) {
	case SUITE_QUICK:
		return (struct plan){ 1, share(forms, count, QUICK_CASES, 400) };
	case SUITE_STANDARD:
		return (struct plan){ 1, share(forms, count, STANDARD_CASES, 4000) };
	case SUITE_FULL:
		return (struct plan){ 1, ALL_CASES };
	default:
		return (struct plan){ turns_within(forms, count, CONTRACT_CASES), ALL_CASES };
	}
}

static void count_trial(struct tally *tally, const struct contract_case *c, const struct trial *t)
{
	const struct verdict *v = &t->verdict;
	bool source = case_reachable(c, FROM) < c->n, destination = case_reachable(c, TO) < c->n;
	tally->cases++;
	tally->faulting += source || destination;
	for (enum grade grade = GRADE_SAFE; grade < GRADES; grade++)
		if (!verdict_holds(v, grade) && tally->failed[grade]++ == 0)
			tally->first[grade] = *c;
	if (v->breaches & BREACH_GAVE_UP) {
		tally->give_ups++;
		tally->hung = t->outcome.fault.vector == FAULT_WATCHDOG;
		return;
	}
	if (source && case_reachable(c, FROM) > 0 && (!destination || case_reachable(c, TO) > 0)) {
		tally->source_faults++;
		tally->nothing += (v->breaches & BREACH_NOTHING) != 0;
	}
	if (destination) {
		tally->destination_faults++;
		tally->stray += (v->breaches & BREACH_STRAY) != 0;
	}
	tally->slack_sum += v->slack;
	if (v->slack > tally->slack_max)
		tally->slack_max = v->slack;
}

static void run_cases(const struct form *form, const struct plan *plan, enum look look,
		      struct tally *tally)
{
	struct cases cases = cases_of(form, plan->turns);
	uint64_t count = cases_count(&cases);
	uint64_t wanted = plan->wanted < count ? plan->wanted : count;
	struct random r = random_seeded(suite_options()->seed);
	memset(tally, 0, sizeof(*tally));
	for (uint64_t i = 0; i < wanted && !tally->hung && tally->give_ups < GIVE_UPS_MAX; i++) {
		struct contract_case c;
		struct trial t;
		cases_draw(&cases, &r, i, wanted, &c);
		if (i && i % PROGRESS_CASES == 0)
			record_text("%s.%s: %llu of %llu cases, %llu failed", form->routine->name,
				    form->kind_name, (unsigned long long)i,
				    (unsigned long long)wanted,
				    (unsigned long long)tally->failed[form->claims]);
		if (!case_admissible(form, &c))
			continue;
		arena_run(&arena, form, &c, look, &t);
		count_trial(tally, &c, &t);
	}
}

struct failing {
	const struct form *form;
	enum grade grade;
};

static bool still_fails(const struct contract_case *c, void *context)
{
	const struct failing *f = context;
	struct trial t;
	if (!case_admissible(f->form, c))
		return false;
	arena_run(&arena, f->form, c, LOOK_EVERYWHERE, &t);
	return !verdict_holds(&t.verdict, f->grade);
}

/* A store far from the buffer is seen late: by a later case that comes to lie there, and
 * then does not fail by itself, or when all is over. */
static bool stored_far_away(const struct form *form, const struct tally *tally)
{
	struct failing failing = { form, GRADE_SAFE };
	if (!arena_restore(&arena))
		return true;
	return tally->failed[GRADE_SAFE] && !tally->hung &&
	       !still_fails(&tally->first[GRADE_SAFE], &failing);
}

static void run_form(const struct form *form, const struct plan *plan, struct tally *tally)
{
	run_cases(form, plan, LOOK_AROUND, tally);
	if (!stored_far_away(form, tally))
		return;
	record_text("%s.%s stored far outside its destination; each case is run again and looked "
		    "at in full",
		    form->routine->name, form->kind_name);
	run_cases(form, plan, LOOK_EVERYWHERE, tally);
	if (tally->failed[GRADE_SAFE] == 0)
		tally->failed[GRADE_SAFE] = tally->failed[GRADE_LITERAL] = 1;
}

/* ------------------------------------------------------------ what went wrong */

static void print_names(uint32_t bits, const char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (bits & (1u << i))
			tap_yaml("broken: \"%s\"", names[i]);
}

static void print_broken(const struct form *form, const struct outcome *o)
{
	static const char *const state[] = {
		"callee-saved register", "stack pointer", "DF set", "AC changed", "IF changed",
		"segment register"
	};
	static const char *const fpu[] = {
		"x87 or MMX registers", "xmm registers",        "ymm registers",
		"opmask registers",     "zmm registers",        "zmm registers 16 to 31",
		"x87 control word",     "x87 registers in use", "MXCSR"
	};
	print_names(o->broken, state, sizeof(state) / sizeof(state[0]));
	print_names(o->fpu & ~form->routine->files, fpu, sizeof(fpu) / sizeof(fpu[0]));
}

static void print_trial(const struct form *form, const struct contract_case *c,
			const struct trial *t)
{
	const struct verdict *v = &t->verdict;
	char text[CASE_TEXT_MAX];
	case_print(c, text);
	tap_yaml("case: \"%s.%s:%s\"", form->routine->name, form->kind_name, text);
	for (unsigned bit = 0; bit < BREACHES; bit++)
		if (v->breaches & (1u << bit))
			tap_yaml("breach: \"%s\"", breach_text(bit));
	if (v->breaches & BREACH_GAVE_UP) {
		tap_yaml("fault: '%s'", report_summary(&t->outcome.fault).text);
		return;
	}
	size_t to = case_reachable(c, TO), from = case_reachable(c, FROM);
	tap_yaml("residue: %zu", t->outcome.residue);
	tap_yaml("best: %zu", c->n - (to < from ? to : from));
	if (v->located)
		tap_yaml("byte: \"%s %c %u: expected 0x%02x, got 0x%02x\"",
			 v->breaches & BREACH_SOURCE ? "from" : "to", v->offset < 0 ? '-' : '+',
			 (unsigned)(v->offset < 0 ? -v->offset : v->offset), v->expected, v->got);
	print_broken(form, &t->outcome);
}

/* The smallest case found that breaks the grade; false where not even the first does so
 * again. */
static bool find_smallest(const struct form *form, enum grade grade, const struct tally *tally,
			  struct contract_case *c)
{
	struct failing failing = { form, grade };
	*c = tally->first[grade];
	if (!still_fails(c, &failing))
		return false;
	case_shrink(c, still_fails, &failing, tally->hung ? SHRINK_TRIES_HANG : SHRINK_TRIES);
	return true;
}

/* What breaks the safe grade breaks the literal one: it is shrunk once. */
static void print_case(const struct form *form, enum grade grade, const struct tally *tally)
{
	static struct contract_case smallest;
	static bool found;
	struct trial t;
	if (grade == GRADE_SAFE || tally->failed[GRADE_SAFE] == 0)
		found = find_smallest(form, grade, tally, &smallest);
	if (!found) {
		tap_yaml("case: \"not found again\"");
		return;
	}
	arena_run(&arena, form, &smallest, LOOK_EVERYWHERE, &t);
	print_trial(form, &smallest, &t);
}

static void print_failure(const struct form *form, enum grade grade, const struct tally *tally)
{
	if (tally->by_code)
		tap_yaml("breach: \"%s, by its code\"", tally->by_code);
	if (tally->failed[grade]) {
		tap_yaml("failed: %llu of %llu", (unsigned long long)tally->failed[grade],
			 (unsigned long long)tally->cases);
		print_case(form, grade, tally);
	}
	tap_yaml_end();
}

/* ------------------------------------------------------------ results */

static void print_grade(const struct form *form, enum grade grade, const struct tally *tally)
{
	bool ok = tally->failed[grade] == 0 && !tally->by_code;
	if (grade > form->claims)
		tap_todo(ok, "claims safe only", "contract %s %s %s", form->routine->name,
			 form->kind_name, grade_names[grade]);
	else
		tap_result(ok, "contract %s %s %s", form->routine->name, form->kind_name,
			   grade_names[grade]);
	if (!ok)
		print_failure(form, grade, tally);
}

/* part of whole in %, to one decimal */
static struct fixed_text percent(uint64_t part, uint64_t whole)
{
	return fixed(whole ? part * 100000 / whole : 0, 1);
}

static void print_figures(const struct form *form, const struct tally *t)
{
	uint64_t mean = t->faulting ? t->slack_sum * 1000 / t->faulting : 0;
	record_text(
		"%s.%s: %llu cases, %llu faulting, failed %llu safe %llu literal; slack mean %s "
		"largest %zu%s",
		form->routine->name, form->kind_name, (unsigned long long)t->cases,
		(unsigned long long)t->faulting, (unsigned long long)t->failed[GRADE_SAFE],
		(unsigned long long)t->failed[GRADE_LITERAL], fixed(mean, 1).text, t->slack_max,
		t->hung || t->give_ups >= GIVE_UPS_MAX ? "; stopped" : "");
	if (t->nothing)
		record_text("  \"nothing copied\" although a byte was readable: %s %% of %llu "
			    "source faults",
			    percent(t->nothing, t->source_faults).text,
			    (unsigned long long)t->source_faults);
	if (t->stray)
		record_text("  stores past n - residue: %s %% of %llu destination faults",
			    percent(t->stray, t->destination_faults).text,
			    (unsigned long long)t->destination_faults);
}

static void skip_form(const struct form *form)
{
	for (enum grade grade = GRADE_SAFE; grade < GRADES; grade++)
		tap_skip(form->routine->lacks, "contract %s %s %s", form->routine->name,
			 form->kind_name, grade_names[grade]);
}

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
static bool check_form(const struct form *form, const struct plan *plan)
{
	struct tally tally;
	run_form(form, plan, &tally);
	tally.by_code = breach_by_code(form);
	for (enum grade grade = GRADE_SAFE; grade < GRADES; grade++)
		print_grade(form, grade, &tally);
	print_figures(form, &tally);
	if (form->nt && !tally.failed[form->claims])
		check_cached(form);
	return tally.failed[form->claims] == 0 && !tally.by_code;
}

/* The byte loop is so plain that it can't be wrong: when it breaks the contract, by
 * however little, the machine or this suite is at fault and no other result counts. */
static void check_reference(const struct form *forms, size_t count, uint64_t *case_ticks)
{
	const struct plan plan = { 1, 500 };
	uint64_t failed = 0, cases = 0, start = machine_ticks();
	for (size_t i = 0; i < count; i++) {
		struct tally tally;
		if (strcmp(forms[i].routine->name, REFERENCE) != 0)
			continue;
		run_form(&forms[i], &plan, &tally);
		cases += tally.cases;
		failed += tally.failed[GRADE_LITERAL] + (tally.slack_max != 0);
	}
	*case_ticks = cases ? (machine_ticks() - start) / cases : 0;
	tap_result(cases && !failed, "contract reference: %s leaves exactly what cannot be copied",
		   REFERENCE);
}

static void check_one_case(const struct form *forms, size_t count)
{
	const char *colon = strchr(case_text, ':'), *bad;
	struct contract_case c;
	case_parse(colon + 1, &c, &bad);
	for (size_t i = 0; i < count; i++) {
		const struct form *form = &forms[i];
		char name[64];
		int length =
			format(name, sizeof(name), "%s.%s", form->routine->name, form->kind_name);
		if (length != colon - case_text || strncmp(name, case_text, (size_t)length) != 0)
			continue;
		if (form->routine->lacks[0]) {
			skip_form(form);
		} else if (!case_admissible(form, &c)) {
			tap_result(false, "contract %s: not a case of this form", case_text);
		} else {
			struct trial t;
			arena_run(&arena, form, &c, LOOK_EVERYWHERE, &t);
			tap_result(verdict_holds(&t.verdict, form->claims), "contract %s %s",
				   case_text, grade_names[form->claims]);
			print_trial(form, &c, &t);
			tap_yaml_end();
		}
		return;
	}
	tap_result(false, "contract %s: no such form (list=copies names them)", case_text);
}

static void check_forms(const struct form *forms, size_t count, uint64_t case_ticks)
{
	uint64_t hz = machine_clock()->tsc_hz;
	struct plan plan = make_plan(forms, count);
	uint64_t cases = 0;
	bool kept = true;
	for (size_t i = 0; i < count; i++) {
		uint64_t all = count_cases(&forms[i], plan.turns);
		cases += !runs(&forms[i]) ? 0 : all < plan.wanted ? all : plan.wanted;
	}
	record_text("contract: about %llu cases, %u of %u alignments at each fault position",
		    (unsigned long long)cases, (unsigned)plan.turns, TURNS_ALL);
	if (hz)
		record_text("contract: about %llu s",
			    (unsigned long long)multiply_divide(cases, case_ticks, hz));
	for (size_t i = 0; i < count; i++) {
		const struct routine *routine = forms[i].routine;
		machine_progress("contract", (unsigned)i, (unsigned)count);
		if (runs(&forms[i]))
			kept = check_form(&forms[i], &plan) && kept;
		else if (registry_chosen(routine))
			skip_form(&forms[i]);
		if (i + 1 < count && forms[i + 1].routine == routine)
			continue;
		/* Its figures would be worth nothing, and timing it might never end. */
		if (!kept)
			registry_exclude(routine, "broke its contract");
		kept = true;
	}
}

bool contract_again(const struct form *form, uint64_t cases)
{
	const struct plan plan = { 1, cases };
	char text[CASE_TEXT_MAX];
	struct tally tally;
	const char *why;
	bool mapped = arena_map(&arena, &why);
	if (mapped)
		run_form(form, &plan, &tally);
	else
		record_text("contract: no memory to run it in: %s", why);
	arena_unmap(&arena);
	if (!mapped)
		return false;
	print_figures(form, &tally);
	if (!tally.failed[form->claims])
		return true;
	case_print(&tally.first[form->claims], text);
	record_text("  the first that failed: case=%s.%s:%s", form->routine->name, form->kind_name,
		    text);
	return false;
}

void contract_run(void)
{
	const struct form *forms;
	const char *why;
	uint64_t case_ticks;
	size_t count = registry_forms(&forms);
	if (!arena_map(&arena, &why)) {
		tap_result(false, "contract: no memory to run it in: %s", why);
	} else if (contract_one_case()) {
		check_one_case(forms, count);
	} else {
		check_reference(forms, count, &case_ticks);
		check_forms(forms, count, case_ticks);
	}
	arena_unmap(&arena);
}
