/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/tally.h"

#include "lib/string.h"
#include "suite/contract/generate.h"
#include "suite/options.h"

/* A routine that faults where it must not does so in most cases: no need to see all. */
#define GIVE_UPS_MAX 100u
/* Shrinking: cases tried. A hang costs the watchdog's time at each. */
#define SHRINK_TRIES      600u
#define SHRINK_TRIES_HANG 8u

static void count_trial(struct tally *tally, const struct contract_case *c, const struct trial *t)
{
	const struct verdict *v = &t->verdict;
	bool source = case_reachable(c, FROM) < c->n, destination = case_reachable(c, TO) < c->n;
	tally->cases++;
	tally->faulting += source || destination;
	for (enum grade grade = GRADE_SAFE; grade < GRADES; grade++)
		if (!verdict_holds(v, grade) && tally->failed[grade]++ == 0) {
			tally->first[grade] = *c;
			tally->trial[grade] = *t;
		}
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

static void run_cases(struct arena *arena, const struct form *form, const struct plan *plan,
		      enum look look, struct tally *tally)
{
	struct cases cases = plan_cases(plan, form);
	uint64_t wanted = plan_count(plan, &cases);
	struct random r = random_seeded(suite_options()->seed);
	memset(tally, 0, sizeof(*tally));
	for (uint64_t i = 0; i < wanted && !tally->stopped; i++) {
		struct contract_case c;
		struct trial t;
		cases_draw(&cases, &r, i, wanted, &c);
		if (!case_admissible(form, &c))
			continue;
		arena_run(arena, form, &c, look, &t);
		count_trial(tally, &c, &t);
		tally->stopped = tally->hung || tally->give_ups >= GIVE_UPS_MAX;
	}
}

struct failing {
	struct arena *arena;
	const struct form *form;
	enum grade grade;
};

static bool still_fails(const struct contract_case *c, void *context)
{
	const struct failing *f = context;
	struct trial t;
	if (!case_admissible(f->form, c))
		return false;
	arena_run(f->arena, f->form, c, LOOK_EVERYWHERE, &t);
	return !verdict_holds(&t.verdict, f->grade);
}

/* A store far from the buffer is seen late: by a later case that comes to lie there, and
 * then does not fail by itself, or when all is over. */
static bool stored_far_away(struct arena *arena, const struct form *form, const struct tally *tally)
{
	struct failing failing = { arena, form, GRADE_SAFE };
	if (!arena_restore(arena))
		return true;
	return tally->failed[GRADE_SAFE] && !tally->hung &&
	       !still_fails(&tally->first[GRADE_SAFE], &failing);
}

void tally_run(struct arena *arena, const struct form *form, const struct plan *plan,
	       struct tally *tally)
{
	run_cases(arena, form, plan, LOOK_AROUND, tally);
	if (!stored_far_away(arena, form, tally))
		return;
	struct tally around = *tally;
	run_cases(arena, form, plan, LOOK_EVERYWHERE, tally);
	tally->far = tally->failed[GRADE_SAFE] > 0;
	if (tally->far)
		return;
	/* It is not to be had again: what was seen of it counts. */
	*tally = around;
	if (tally->failed[GRADE_SAFE] == 0)
		tally->failed[GRADE_SAFE] = tally->failed[GRADE_LITERAL] = 1;
}

bool tally_smallest(struct arena *arena, const struct form *form, enum grade grade,
		    const struct tally *tally, struct contract_case *c)
{
	struct failing failing = { arena, form, grade };
	*c = tally->first[grade];
	if (!still_fails(c, &failing))
		return false;
	case_shrink(c, still_fails, &failing, tally->hung ? SHRINK_TRIES_HANG : SHRINK_TRIES);
	return true;
}
