/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which cases are run. They come in families: in each, one axis is walked in full
 * (all sizes, or every fault position of every size) while the alignments that are
 * still free turn with it, so that every pair of values meets; DEPTH_MAX takes all
 * alignments everywhere.
 */
#ifndef SUITE_CONTRACT_GENERATE_H
#define SUITE_CONTRACT_GENERATE_H

#include "lib/random.h"
#include "suite/contract/case.h"
#include "suite/registry.h"

enum depth { DEPTH_COVER, DEPTH_MAX };

/* How many cases there are for a form of this kind. */
uint64_t cases_count(enum form_kind kind, enum depth depth);

/* Case `index` of them; index < cases_count(). */
void cases_get(enum form_kind kind, enum depth depth, uint64_t index, struct contract_case *c);

/*
 * A sample of `wanted` out of `count` that is spread over the whole: number i is drawn
 * from the i-th of `wanted` equal parts. All of them where wanted >= count.
 */
uint64_t cases_sample(struct random *r, uint64_t i, uint64_t wanted, uint64_t count);

/* Whether the caller of this form may ask for the case at all (its minimum size and
 * alignment), and the machine can tell the outcome (only user memory may be missing). */
bool case_admissible(const struct form *form, const struct contract_case *c);

#endif
