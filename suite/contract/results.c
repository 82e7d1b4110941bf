/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/results.h"

#include "lib/format.h"
#include "suite/record.h"
#include "suite/report.h"
#include "suite/tap.h"

const char *const grade_names[GRADES] = { [GRADE_SAFE] = "safe", [GRADE_LITERAL] = "literal" };

/* ------------------------------------------------------------ a case */

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

void results_trial(const struct form *form, const struct contract_case *c, const struct trial *t)
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

/* ------------------------------------------------------------ a form */

/* What breaks the safe grade breaks the literal one: it is shrunk once. */
static void print_case(struct arena *arena, const struct form *form, enum grade grade,
		       const struct tally *tally)
{
	static struct contract_case smallest;
	static bool found;
	struct trial t;
	if (grade == GRADE_SAFE || tally->failed[GRADE_SAFE] == 0)
		found = tally_smallest(arena, form, grade, tally, &smallest);
	if (found) {
		arena_run(arena, form, &smallest, LOOK_EVERYWHERE, &t);
		results_trial(form, &smallest, &t);
		return;
	}
	tap_yaml("again: \"no\"");
	if (tally->trial[grade].verdict.breaches)
		results_trial(form, &tally->first[grade], &tally->trial[grade]);
}

static void print_failure(struct arena *arena, const struct form *form, enum grade grade,
			  const struct tally *tally, const char *by_code)
{
	if (by_code)
		tap_yaml("breach: \"%s, by its code\"", by_code);
	if (tally->failed[grade]) {
		tap_yaml("failed: %llu of %llu", (unsigned long long)tally->failed[grade],
			 (unsigned long long)tally->cases);
		print_case(arena, form, grade, tally);
	}
	tap_yaml_end();
}

void results_grades(struct arena *arena, const struct form *form, const struct tally *tally,
		    const char *by_code)
{
	for (enum grade grade = GRADE_SAFE; grade < GRADES; grade++) {
		bool ok = tally->failed[grade] == 0 && !by_code;
		if (grade > form->claims)
			tap_todo(ok, "claims safe only", "contract %s %s %s", form->routine->name,
				 form->kind_name, grade_names[grade]);
		else
			tap_result(ok, "contract %s %s %s", form->routine->name, form->kind_name,
				   grade_names[grade]);
		if (!ok)
			print_failure(arena, form, grade, tally, by_code);
	}
}

/* part of whole in %, to one decimal */
static struct fixed_text percent(uint64_t part, uint64_t whole)
{
	return fixed(whole ? part * 100000 / whole : 0, 1);
}

void results_figures(const struct form *form, const struct tally *t)
{
	uint64_t mean = t->faulting ? t->slack_sum * 1000 / t->faulting : 0;
	record_text(
		"%s.%s: %llu cases, %llu faulting, failed %llu safe %llu literal; slack mean %s "
		"largest %zu%s",
		form->routine->name, form->kind_name, (unsigned long long)t->cases,
		(unsigned long long)t->faulting, (unsigned long long)t->failed[GRADE_SAFE],
		(unsigned long long)t->failed[GRADE_LITERAL], fixed(mean, 1).text, t->slack_max,
		t->stopped ? "; stopped" : "");
	if (t->far)
		record_text("  it stores far outside its destination: all was compared after each "
			    "case");
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

void results_skip(const struct form *form)
{
	for (enum grade grade = GRADE_SAFE; grade < GRADES; grade++)
		tap_skip(form->routine->lacks, "contract %s %s %s", form->routine->name,
			 form->kind_name, grade_names[grade]);
}
