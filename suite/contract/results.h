/* SPDX-License-Identifier: BSD-2-Clause */
/* What the contract suite prints of a form: TAP lines, and figures for people. */
#ifndef SUITE_CONTRACT_RESULTS_H
#define SUITE_CONTRACT_RESULTS_H

#include "suite/contract/tally.h"

extern const char *const grade_names[GRADES];

/* Both grades, with the smallest failing case, which is looked for in the arena. What the
 * routine's code is found to lack by itself: by_code, or NULL. */
void results_grades(struct arena *arena, const struct form *form, const struct tally *tally,
		    const char *by_code);

void results_figures(const struct form *form, const struct tally *tally);

/* One case in full, as lines of a YAML block. */
void results_trial(const struct form *form, const struct contract_case *c, const struct trial *t);

/* The routine lacks something on this CPU. */
void results_skip(const struct form *form);

#endif
