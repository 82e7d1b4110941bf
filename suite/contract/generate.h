/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which cases are run. They come in families: in each, one axis is walked in full
 * (all sizes, or every fault position of every size), and at each step the alignments
 * that are still free take `turns` of their values, others at the next step. One turn
 * is enough for every pair of values to meet; TURNS_ALL takes every combination.
 */
#ifndef SUITE_CONTRACT_GENERATE_H
#define SUITE_CONTRACT_GENERATE_H

#include "lib/random.h"
#include "suite/contract/case.h"
#include "suite/registry.h"

/* Turns are a power of two from 1 to this. */
#define TURNS_ALL CASE_ALIGNMENTS

/* What a machine has beside memory that is there or not. */
enum cases_offer {
	OFFER_READ_ONLY = 1u << 0,
	OFFER_DEMAND = 1u << 1,
	OFFER_NONCANONICAL = 1u << 2,
	OFFER_LARGE = 1u << 3, /* pages */
	OFFER_ALL = (1u << 4) - 1
};

#define CASES_FAMILIES 42u

/* The cases of one form; cases_make() fills it in. */
struct cases {
	enum form_kind kind;
	bool memmove;
	uint32_t turns;
	uint32_t offers;
	uint32_t sparseness;                /* of the walks that leave positions out */
	uint32_t begin[CASES_FAMILIES + 1]; /* the index of each family's first case */
};

/* How thoroughly: turns. On which machine: enum cases_offer. */
struct cases cases_make(enum form_kind kind, bool memmove, uint32_t turns, uint32_t offers);

/* How many cases there are; under 2^32. */
static inline uint32_t cases_count(const struct cases *cases)
{
	return cases->begin[CASES_FAMILIES];
}

/* Case `index` of them; index < cases_count(). */
void cases_get(const struct cases *cases, uint32_t index, struct contract_case *c);

/*
 * Case i of a sample of `wanted` cases, i = 0, 1 ...: half of it is spread evenly over all
 * cases and half over the families, of which the small ones would be lost otherwise: each
 * begins with its first case, the smallest. All cases in their order where wanted is no less than
 * there are.
 */
void cases_draw(const struct cases *cases, struct random *r, uint64_t i, uint64_t wanted,
		struct contract_case *c);

/* Whether the caller of this form may ask for the case at all (its minimum size and
 * alignment), and the machine can tell the outcome (only user memory may be missing). */
bool case_admissible(const struct form *form, const struct contract_case *c);

/* Whether a machine with these offers has what the case needs. */
bool case_offered(const struct contract_case *c, uint32_t offers);

#endif
