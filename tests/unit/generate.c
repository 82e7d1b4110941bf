/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/generate.h"

#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#define SMALL 301u
#define A     CASE_ALIGNMENTS

/* Which pairs of values the cases of one form meet. */
struct seen {
	bool n_to[SMALL][A], n_from[SMALL][A], to_from[A][A];
	bool n_position[SIDES][SMALL][SMALL];
	bool n_other[SIDES][SMALL][A];        /* size of a fault x the other side's alignment */
	bool position_other[SIDES][SMALL][A]; /* position of a fault x the other's alignment */
	bool fits[SIDES][2][SMALL];           /* hard against the area's end, its start */
	uint64_t faulting, large;
};

static void look_at_fault(struct seen *seen, const struct contract_case *c, enum side side)
{
	const struct placement *p = &c->side[side], *other = &c->side[!side];
	if (p->place != PLACE_END || p->at >= c->n || other->place != PLACE_INSIDE)
		return;
	seen->n_position[side][c->n][p->at] = true;
	seen->n_other[side][c->n][other->at] = true;
	seen->position_other[side][p->at][other->at] = true;
}

static void look_at(struct seen *seen, const struct contract_case *c)
{
	seen->faulting += case_faults(c);
	if (c->n >= SMALL) {
		seen->large++;
		return;
	}
	for (enum side side = TO; side < SIDES; side++) {
		look_at_fault(seen, c, side);
		if (case_reachable(c, side) == c->n && c->side[side].place != PLACE_INSIDE)
			seen->fits[side][c->side[side].place == PLACE_BEGIN][c->n] = true;
	}
	if (c->side[TO].place == PLACE_INSIDE && c->side[FROM].place == PLACE_INSIDE) {
		seen->n_to[c->n][c->side[TO].at] = true;
		seen->n_from[c->n][c->side[FROM].at] = true;
		seen->to_from[c->side[TO].at][c->side[FROM].at] = true;
	}
}

static struct seen *walk(const struct cases *cases)
{
	struct seen *seen = calloc(1, sizeof(*seen));
	uint64_t count = cases_count(cases);
	for (uint64_t i = 0; i < count; i++) {
		struct contract_case c;
		cases_get(cases, i, &c);
		look_at(seen, &c);
	}
	return seen;
}

static bool all(const void *flags, size_t bytes)
{
	return !memchr(flags, false, bytes);
}

static void check_sound_pairs(const struct seen *seen)
{
	CHECK(all(seen->n_to, sizeof(seen->n_to)));
	CHECK(all(seen->n_from, sizeof(seen->n_from)));
	CHECK(all(seen->to_from, sizeof(seen->to_from)));
	CHECK(all(seen->fits, sizeof(seen->fits)));
	CHECK(seen->large > 0);
}

static void check_fault_pairs(const struct seen *seen, enum side side)
{
	for (size_t n = 1; n < SMALL; n++) {
		CHECK(all(seen->n_position[side][n], n));
		CHECK(all(seen->n_other[side][n], A));
		CHECK(all(seen->position_other[side][n - 1], A));
	}
}

static void check_kind(enum form_kind kind, bool to, bool from)
{
	/* Any machine has these. */
	struct cases cases = cases_make(kind, false, 1, OFFER_READ_ONLY | OFFER_DEMAND);
	struct seen *seen = walk(&cases);
	uint64_t count = cases_count(&cases);
	CHECK(count >= 100000);
	check_sound_pairs(seen);
	if (to)
		check_fault_pairs(seen, TO);
	if (from)
		check_fault_pairs(seen, FROM);
	CHECK(to || from ? seen->faulting * 2 >= count : seen->faulting == 0);
	free(seen);
}

TEST(every_pair_of_values_meets)
{
	check_kind(FORM_PLAIN, false, false);
	check_kind(FORM_TO_USER, true, false);
	check_kind(FORM_FROM_USER, false, true);
	check_kind(FORM_FROM_USER_ZERO, false, true);
	check_kind(FORM_IN_USER, true, true);
}

TEST(more_turns_are_more_cases)
{
	for (enum form_kind kind = FORM_PLAIN; kind < FORM_KINDS; kind++) {
		uint32_t before = 0;
		for (uint32_t turns = 1; turns <= TURNS_ALL; turns *= 2) {
			struct cases cases = cases_make(kind, true, turns, OFFER_ALL);
			CHECK(cases_count(&cases) > before);
			before = cases_count(&cases);
		}
	}
}

/* Every case of these, and every text of one, is a case of this form and no other's. */
TEST(cases_are_admissible_and_can_be_replayed)
{
	for (enum form_kind kind = FORM_PLAIN; kind < FORM_KINDS; kind++) {
		const struct form form = { .kind = kind, .alignment = 1, .memmove = true };
		const struct cases cases = cases_make(kind, true, 1, OFFER_ALL);
		for (uint64_t i = 0; i < cases_count(&cases); i += 3) {
			struct contract_case c, again;
			char text[CASE_TEXT_MAX];
			const char *bad;
			cases_get(&cases, i, &c);
			CHECK(case_admissible(&form, &c) || !case_fits(&c));
			case_print(&c, text);
			CHECK(case_parse(text, &again, &bad));
			CHECK(memcmp(&c, &again, sizeof(c)) == 0);
		}
	}
}

TEST(only_user_memory_is_ever_missing)
{
	const struct form plain = { .kind = FORM_PLAIN, .alignment = 1 };
	const struct cases cases = cases_make(FORM_TO_USER, false, 1, OFFER_ALL);
	for (uint64_t i = 0; i < cases_count(&cases); i += 7) {
		struct contract_case c;
		cases_get(&cases, i, &c);
		if (case_faults(&c))
			CHECK(!case_admissible(&plain, &c));
	}
}

/* Each way to lie is met where it can be, and only there. */
TEST(every_kind_of_fault_is_met)
{
	for (enum form_kind kind = FORM_PLAIN; kind < FORM_KINDS; kind++) {
		const struct cases cases = cases_make(kind, true, 1, OFFER_ALL);
		bool met[SIDES][PLACE_BELOW + 1] = { { false } }, huge = false;
		bool to = kind == FORM_TO_USER || kind == FORM_IN_USER;
		bool from = kind >= FORM_FROM_USER;
		for (uint64_t i = 0; i < cases_count(&cases); i++) {
			struct contract_case c;
			cases_get(&cases, i, &c);
			met[TO][c.side[TO].place] = met[FROM][c.side[FROM].place] = true;
			huge = huge || c.n > INT32_MAX;
		}
		CHECK(met[TO][PLACE_READ_ONLY] == to && !met[FROM][PLACE_READ_ONLY]);
		CHECK(met[TO][PLACE_LARGE] == to && met[FROM][PLACE_LARGE] == from);
		CHECK(met[TO][PLACE_DEMAND] == to && met[FROM][PLACE_DEMAND] == from);
		CHECK(met[TO][PLACE_NONCANONICAL] == to && met[FROM][PLACE_NONCANONICAL] == from);
		CHECK(met[FROM][PLACE_KERNEL] == (kind == FORM_FROM_USER_ZERO));
		CHECK(met[FROM][PLACE_WRAP] == (kind == FORM_FROM_USER_ZERO));
		CHECK(met[FROM][PLACE_ABOVE] == (to == from) &&
		      met[FROM][PLACE_BELOW] == (to == from));
		CHECK(huge == from);
	}
}

TEST(a_form_is_not_asked_for_what_it_excludes)
{
	const struct form wide = { .kind = FORM_PLAIN, .minimum = 64, .alignment = 16 };
	struct contract_case c = { .n = 64,
				   .side = { { PLACE_INSIDE, 16 }, { PLACE_INSIDE, 32 } } };
	CHECK(case_admissible(&wide, &c));
	c.side[FROM].at = 8;
	CHECK(!case_admissible(&wide, &c));
	c.side[FROM].at = 0;
	c.n = 48;
	CHECK(!case_admissible(&wide, &c));
	c.n = 72;
	CHECK(!case_admissible(&wide, &c));
}

TEST(a_sample_meets_every_size_and_kind)
{
	const struct cases cases = cases_make(FORM_IN_USER, true, 1, OFFER_ALL);
	struct random r = random_seeded(1), same = random_seeded(1);
	bool sizes[8194] = { false }, places[PLACE_BELOW + 1] = { false };
	for (uint64_t i = 0; i < 2000; i++) {
		struct contract_case c, again;
		cases_draw(&cases, &r, i, 2000, &c);
		cases_draw(&cases, &same, i, 2000, &again);
		CHECK(memcmp(&c, &again, sizeof(c)) == 0);
		places[c.side[TO].place] = places[c.side[FROM].place] = true;
		if (c.n < sizeof(sizes))
			sizes[c.n] = true;
	}
	unsigned small = 0;
	for (size_t n = 0; n < SMALL; n++)
		small += sizes[n];
	CHECK(small > 290 && sizes[0]);
	CHECK(sizes[511] && sizes[1023] && sizes[2048] && sizes[4097] && sizes[8193]);
	CHECK(places[PLACE_INSIDE] && places[PLACE_END] && places[PLACE_BEGIN]);
	CHECK(places[PLACE_READ_ONLY] && places[PLACE_DEMAND] && places[PLACE_NONCANONICAL]);
	CHECK(places[PLACE_ABOVE] && places[PLACE_BELOW]);
}

TEST(a_sample_of_all_is_all)
{
	const struct cases cases = cases_make(FORM_PLAIN, false, 1, 0);
	struct random r = random_seeded(1);
	for (uint64_t i = 0; i < cases_count(&cases); i += 997) {
		struct contract_case c, direct;
		cases_draw(&cases, &r, i, UINT64_MAX, &c);
		cases_get(&cases, i, &direct);
		CHECK(memcmp(&c, &direct, sizeof(c)) == 0);
	}
}

TEST(a_case_needs_what_its_places_need)
{
	struct contract_case c = { .n = 8,
				   .side = { { PLACE_END, 3 }, { PLACE_NONCANONICAL, 0 } } };
	CHECK(case_offered(&c, OFFER_ALL) && case_offered(&c, OFFER_NONCANONICAL));
	CHECK(!case_offered(&c, OFFER_ALL & ~OFFER_NONCANONICAL));
	c.side[FROM].place = PLACE_BELOW;
	CHECK(case_offered(&c, 0));
	c.side[TO].place = PLACE_DEMAND;
	CHECK(!case_offered(&c, OFFER_READ_ONLY | OFFER_LARGE) && case_offered(&c, OFFER_DEMAND));
}
