/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/plan.h"

#include "suite/options.h"

#define ALL_CASES UINT64_MAX

/* What a run aims at in all, and the least and the most for each form: seconds under an
 * emulator, seconds elsewhere. */
static const struct sample {
	uint64_t all, least, most;
} quick = { 150000, 400, 1500 }, standard = { 2000000, 4000, 20000 };

/* Minutes under an emulator, where few forms are chosen. */
#define CONTRACT_CASES 12000000u
#define CONTRACT_TURNS 16u

bool plan_runs(const struct form *form)
{
	return registry_chosen(form->routine) && !form->routine->lacks[0];
}

struct cases plan_cases(const struct plan *plan, const struct form *form)
{
	return cases_make(form->kind, form->memmove, plan->turns, plan->offers);
}

uint64_t plan_count(const struct plan *plan, const struct cases *cases)
{
	uint64_t count = cases_count(cases);
	return plan->wanted < count ? plan->wanted : count;
}

/* As many turns as the forms chosen leave room for. */
static struct plan turns_within(const struct form *forms, size_t count, uint32_t offers)
{
	struct plan plan = { 1, offers, ALL_CASES };
	while (plan.turns < CONTRACT_TURNS) {
		struct plan more = { plan.turns * 2, offers, ALL_CASES };
		uint64_t all = 0;
		for (size_t i = 0; i < count; i++) {
			struct cases cases = plan_cases(&more, &forms[i]);
			all += plan_runs(&forms[i]) ? cases_count(&cases) : 0;
		}
		if (all > CONTRACT_CASES)
			break;
		plan = more;
	}
	return plan;
}

static uint64_t share(const struct form *forms, size_t count, const struct sample *sample)
{
	uint64_t running = 0;
	for (size_t i = 0; i < count; i++)
		running += plan_runs(&forms[i]);
	uint64_t each = sample->all / (running ? running : 1);
	return each < sample->least ? sample->least : each > sample->most ? sample->most : each;
}

struct plan plan_make(const struct form *forms, size_t count, uint32_t offers)
{
	const struct suite_options *options = suite_options();
	if (options->depth_max)
		return (struct plan){ TURNS_ALL, offers, ALL_CASES };
	switch (options->level) {
	case SUITE_QUICK:
		return (struct plan){ 1, offers, share(forms, count, &quick) };
	case SUITE_STANDARD:
		return (struct plan){ 1, offers, share(forms, count, &standard) };
	case SUITE_FULL:
		return (struct plan){ 1, offers, ALL_CASES };
	default:
		return turns_within(forms, count, offers);
	}
}
