/* SPDX-License-Identifier: BSD-2-Clause */
/* How many cases of each form a run takes, and which. */
#ifndef SUITE_CONTRACT_PLAN_H
#define SUITE_CONTRACT_PLAN_H

#include "suite/contract/generate.h"
#include "suite/registry.h"

struct plan {
	uint32_t turns;
	uint32_t offers; /* enum cases_offer */
	uint64_t wanted; /* of each form: a sample of so many, or as many as there are */
};

/* What the options ask for, on a machine that offers this. */
struct plan plan_make(const struct form *forms, size_t count, uint32_t offers);

/* The form was chosen, and the CPU has what it needs. */
bool plan_runs(const struct form *form);

struct cases plan_cases(const struct plan *plan, const struct form *form);

/* How many of these are run. */
uint64_t plan_count(const struct plan *plan, const struct cases *cases);

#endif
