/* SPDX-License-Identifier: BSD-2-Clause */
/* Running the cases of a form, and what they came to. */
#ifndef SUITE_CONTRACT_TALLY_H
#define SUITE_CONTRACT_TALLY_H

#include "suite/contract/arena.h"
#include "suite/contract/plan.h"

#define GRADES 2

/* What the cases of one form came to. */
struct tally {
	uint64_t cases, faulting;
	uint64_t failed[GRADES];
	struct contract_case first[GRADES]; /* the first that failed ... */
	struct trial trial[GRADES];         /* ... and how */
	uint64_t source_faults, nothing;    /* of those with a readable byte: nothing copied */
	uint64_t destination_faults, stray; /* of those: stores past n - residue */
	uint64_t slack_sum;
	size_t slack_max;
	unsigned give_ups;
	bool hung, stopped; /* stopped: not all of its cases were run */
	bool far;           /* it stored far outside its destination */
};

/* Runs the plan's cases of the form. Prints nothing. */
void tally_run(struct arena *arena, const struct form *form, const struct plan *plan,
	       struct tally *tally);

/* The smallest case found that breaks the grade; false where not even the first that did
 * does so again. */
bool tally_smallest(struct arena *arena, const struct form *form, enum grade grade,
		    const struct tally *tally, struct contract_case *c);

#endif
