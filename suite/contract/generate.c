/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/generate.h"

#define SMALL_MAX    300u
#define TRIANGLE     (SMALL_MAX * (SMALL_MAX + 1) / 2)
#define ALIGNMENTS   CASE_ALIGNMENTS
#define SMALL_ALIGNS 16u
#define SMALL_PAIRS  (SMALL_ALIGNS * SMALL_ALIGNS)
#define ALL_PAIRS    (ALIGNMENTS * ALIGNMENTS)

/* Around the sizes where routines change their ways. */
static const uint32_t large_sizes[] = { 511,  512,  513,  1023, 1024, 1025, 2047,  2048,  2049,
					4095, 4096, 4097, 8191, 8192, 8193, 65535, 65536, 65537 };
#define LARGE_SIZES (sizeof(large_sizes) / sizeof(large_sizes[0]))

/* Around where counts of 31 and of 32 bits end. Only a copy that faults early, or is
 * refused, can be asked for them. */
static const uint64_t huge_sizes[] = { 0x80000000u, 0x80000001u, 0x100000000u, 0x100000041u };
static const uint8_t huge_positions[] = { 0, 1, 17, 64, 100, 255 };
#define HUGE_SIZES     (sizeof(void *) == 8 ? 4u : 2u)
#define HUGE_POSITIONS (sizeof(huge_positions) / sizeof(huge_positions[0]))

/* Edges of the blocks that routines work by. */
static const uint32_t edges[] = { 16, 32, 64, 128, 256, 4096 };
#define EDGES     (sizeof(edges) / sizeof(edges[0]))
#define POSITIONS (EDGES * 9u)

/* What a family walks in full. */
enum walk {
	WALK_SMALL, /* n = 0..300 */
	WALK_SIZES, /* these and the large sizes */
	WALK_LARGE_SIZES,
	WALK_POSITIONS, /* n = 1..300, each with every position 0..n-1 */
	WALK_SPARSE,    /* one in SPARSE of these, or all from DENSE_TURNS on */
	WALK_ENDS,      /* what WALK_POSITIONS leaves out of a size or position with few steps */
	WALK_LARGE,     /* large sizes with the positions around block edges */
	WALK_HUGE
};

/* Where a side lies in a family. */
enum lie {
	FREE,     /* amid poison, at any alignment */
	FITS_END, /* its last byte is the area's last */
	FITS_BEGIN,
	ENDS_AT,       /* missing from the position on */
	BEGINS_AT,     /* missing up to the position, and there after it */
	ENDS_TOO,      /* as ENDS_AT, at another position: both sides fault */
	LARGE_ENDS_AT, /* as ENDS_AT, at the end of a large page */
	READ_ONLY_AT,
	DEMAND_AT,
	NONCANONICAL, /* nothing of it is there; at any alignment */
	IN_KERNEL,    /* kernel memory for user memory: to be refused */
	WRAPS_AT,     /* around the end of the address space: to be refused */
	ABOVE_BY,     /* the source lies position bytes above the destination */
	BELOW_BY
};

/* How many alignments a step takes. */
enum turning {
	TURN_NONE,  /* none is free */
	TURN_SOME,  /* as many as were asked for */
	TURN_MANY,  /* MANY_TURNS at least */
	TURN_ALL,   /* all 64 */
	TURN_PAIRS, /* all 64 on both sides, turning against each other; or all pairs.
		       Of large sizes LARGE_TURNS */
	TURN_SMALL  /* all pairs of 0..15, where others are not to be had or thin */
};

struct family {
	enum walk walk;
	enum lie lie[SIDES];
	enum turning turning;
};

/* Steps to each alignment of 1, 2 ... 63 sizes that have all but 63, 62 ... 1 of them. */
#define MISSING     (ALIGNMENTS * (ALIGNMENTS - 1) / 2)
#define SPARSE      20u
#define DENSE_TURNS 16u
#define MANY_TURNS  36u /* as many as 100,000 cases of a form take */
#define LARGE_TURNS 16u

static const struct family families[] = {
	{ WALK_SMALL, { FREE, FREE }, TURN_SMALL },
	{ WALK_SMALL, { FREE, FREE }, TURN_PAIRS },
	{ WALK_LARGE_SIZES, { FREE, FREE }, TURN_PAIRS },
	{ WALK_SMALL, { FITS_END, FREE }, TURN_MANY },
	{ WALK_SMALL, { FREE, FITS_END }, TURN_MANY },
	{ WALK_LARGE_SIZES, { FITS_END, FREE }, TURN_SOME },
	{ WALK_LARGE_SIZES, { FREE, FITS_END }, TURN_SOME },
	{ WALK_SIZES, { FITS_BEGIN, FREE }, TURN_SOME },
	{ WALK_SIZES, { FREE, FITS_BEGIN }, TURN_SOME },
	{ WALK_SIZES, { FITS_END, FITS_END }, TURN_NONE },
	{ WALK_SIZES, { FITS_BEGIN, FITS_BEGIN }, TURN_NONE },
	{ WALK_POSITIONS, { FREE, ENDS_AT }, TURN_SOME },
	{ WALK_POSITIONS, { ENDS_AT, FREE }, TURN_SOME },
	{ WALK_ENDS, { FREE, ENDS_AT }, TURN_SOME },
	{ WALK_ENDS, { ENDS_AT, FREE }, TURN_SOME },
	{ WALK_SPARSE, { FITS_END, ENDS_AT }, TURN_NONE },
	{ WALK_SPARSE, { ENDS_AT, FITS_END }, TURN_NONE },
	{ WALK_SPARSE, { FREE, BEGINS_AT }, TURN_SOME },
	{ WALK_SPARSE, { BEGINS_AT, FREE }, TURN_SOME },
	{ WALK_SPARSE, { ENDS_TOO, ENDS_AT }, TURN_NONE },
	{ WALK_LARGE, { FREE, ENDS_AT }, TURN_SOME },
	{ WALK_LARGE, { ENDS_AT, FREE }, TURN_SOME },
	{ WALK_SPARSE, { FREE, LARGE_ENDS_AT }, TURN_SOME },
	{ WALK_SPARSE, { LARGE_ENDS_AT, FREE }, TURN_SOME },
	{ WALK_LARGE, { FREE, LARGE_ENDS_AT }, TURN_SOME },
	{ WALK_LARGE, { LARGE_ENDS_AT, FREE }, TURN_SOME },
	{ WALK_SPARSE, { READ_ONLY_AT, FREE }, TURN_SOME },
	{ WALK_LARGE, { READ_ONLY_AT, FREE }, TURN_SOME },
	{ WALK_SPARSE, { FREE, DEMAND_AT }, TURN_SOME },
	{ WALK_SPARSE, { DEMAND_AT, FREE }, TURN_SOME },
	{ WALK_SPARSE, { DEMAND_AT, DEMAND_AT }, TURN_NONE },
	{ WALK_LARGE, { FREE, DEMAND_AT }, TURN_SOME },
	{ WALK_LARGE, { DEMAND_AT, FREE }, TURN_SOME },
	{ WALK_SIZES, { FREE, NONCANONICAL }, TURN_SOME },
	{ WALK_SIZES, { NONCANONICAL, FREE }, TURN_SOME },
	{ WALK_SIZES, { FREE, IN_KERNEL }, TURN_SOME },
	{ WALK_SPARSE, { FREE, WRAPS_AT }, TURN_SOME },
	{ WALK_HUGE, { FREE, ENDS_AT }, TURN_ALL },
	{ WALK_SPARSE, { FREE, ABOVE_BY }, TURN_SOME },
	{ WALK_SPARSE, { FREE, BELOW_BY }, TURN_SOME },
	{ WALK_LARGE, { FREE, ABOVE_BY }, TURN_SOME },
	{ WALK_LARGE, { FREE, BELOW_BY }, TURN_SOME },
};
#define FAMILIES (sizeof(families) / sizeof(families[0]))
_Static_assert(FAMILIES == CASES_FAMILIES, "as many as the header says");

/* Where both sides fault there are twice as many families. */
static uint32_t sparseness(enum form_kind kind, uint32_t turns)
{
	if (turns >= DENSE_TURNS)
		return 1;
	return kind == FORM_IN_USER ? 2 * SPARSE : SPARSE;
}

struct step {
	size_t n;
	uint32_t position;
};

/* Each size with each of its positions once, by find_large_steps(). */
static struct step large_steps[LARGE_SIZES * POSITIONS];
static uint32_t large_step_count;

static uint32_t walk_steps(enum walk walk, const struct cases *cases)
{
	switch (walk) {
	case WALK_SMALL:
		return SMALL_MAX + 1;
	case WALK_SIZES:
		return SMALL_MAX + 1 + LARGE_SIZES;
	case WALK_POSITIONS:
		return TRIANGLE;
	case WALK_SPARSE:
		return TRIANGLE / cases->sparseness;
	case WALK_LARGE_SIZES:
		return LARGE_SIZES;
	case WALK_ENDS:
		return 2 * MISSING;
	case WALK_HUGE:
		return HUGE_SIZES * HUGE_POSITIONS;
	default:
		return large_step_count;
	}
}

/* Step `step` of the triangle (1,0) (2,0) (2,1) (3,0) ... */
static struct step triangle(uint32_t step)
{
	uint32_t low = 1, high = SMALL_MAX;
	while (low < high) {
		uint32_t middle = (low + high + 1) / 2;
		if (middle * (middle - 1) / 2 <= step)
			low = middle;
		else
			high = middle - 1;
	}
	return (struct step){ low, step - low * (low - 1) / 2 };
}

/* One byte before, at and after: the first edge, the middle one, and the last. */
static uint32_t edge_position(uint32_t n, uint32_t i)
{
	uint32_t edge = edges[i / 9], blocks = (n - 1) / edge, block;
	uint32_t near = i % 3;
	switch (i / 3 % 3) {
	case 0:
		block = blocks ? 1 : 0;
		break;
	case 1:
		block = (blocks + 1) / 2;
		break;
	default:
		block = blocks;
	}
	uint32_t position = block * edge + near;
	position = position ? position - 1 : 0;
	return position < n ? position : n - 1;
}

/* Blocks of several sizes end at the same byte. */
static void find_large_steps(void)
{
	if (large_step_count)
		return;
	for (size_t size = 0; size < LARGE_SIZES; size++) {
		uint32_t first = large_step_count;
		for (uint32_t i = 0; i < POSITIONS; i++) {
			uint32_t position = edge_position(large_sizes[size], i), known = first;
			while (known < large_step_count && large_steps[known].position != position)
				known++;
			if (known == large_step_count)
				large_steps[large_step_count++] =
					(struct step){ large_sizes[size], position };
		}
	}
}

/* A size of WALK_POSITIONS has a step for each position, and a position one for each larger
 * size: the small sizes and the late positions have fewer steps than there are alignments. Each
 * step that is missing is made up for by one more at the size's last position, or at the
 * position's smallest size. */
static struct step end_step(uint32_t step)
{
	uint32_t missing = (uint32_t)triangle(step % MISSING).n;
	uint32_t n = step < MISSING ? ALIGNMENTS - missing : SMALL_MAX + 1 - ALIGNMENTS + missing;
	return (struct step){ n, n - 1 };
}

/* What the phase of the missing step would have been. */
static uint32_t end_phase(uint32_t step, struct step at)
{
	uint32_t past = triangle(step % MISSING).position;
	uint32_t steps = step < MISSING ? (uint32_t)at.n : SMALL_MAX + 1;
	return (step < MISSING ? (uint32_t)at.n : at.position) + steps + past;
}

static struct step walk_step(enum walk walk, const struct cases *cases, uint32_t step)
{
	uint32_t n;
	switch (walk) {
	case WALK_POSITIONS:
		return triangle(step);
	case WALK_SPARSE:
		return triangle(step * cases->sparseness + step % cases->sparseness);
	case WALK_LARGE_SIZES:
		return (struct step){ large_sizes[step], 0 };
	case WALK_ENDS:
		return end_step(step);
	case WALK_LARGE:
		return large_steps[step];
	case WALK_HUGE:
		return (struct step){ (size_t)huge_sizes[step / HUGE_POSITIONS],
				      huge_positions[step % HUGE_POSITIONS] };
	default:
		n = step <= SMALL_MAX ? step : large_sizes[step - SMALL_MAX - 1];
		return (struct step){ n, 0 };
	}
}

static struct placement lie_place(enum lie lie, struct step at, uint32_t alignment)
{
	switch (lie) {
	case FITS_END:
		return (struct placement){ PLACE_END, (uint32_t)at.n };
	case FITS_BEGIN:
		return (struct placement){ PLACE_BEGIN, 0 };
	case ENDS_AT:
		return (struct placement){ PLACE_END, at.position };
	case BEGINS_AT:
		return (struct placement){ PLACE_BEGIN, at.position + 1 };
	case ENDS_TOO:
		return (struct placement){ PLACE_END, (uint32_t)((at.position * 7 + at.n) % at.n) };
	case LARGE_ENDS_AT:
		return (struct placement){ PLACE_LARGE, at.position };
	case READ_ONLY_AT:
		return (struct placement){ PLACE_READ_ONLY, at.position };
	case DEMAND_AT:
		return (struct placement){ PLACE_DEMAND, at.position };
	case NONCANONICAL:
		return (struct placement){ PLACE_NONCANONICAL, alignment };
	case IN_KERNEL:
		return (struct placement){ PLACE_KERNEL, alignment };
	case WRAPS_AT:
		return (struct placement){ PLACE_WRAP, at.position };
	case ABOVE_BY:
		return (struct placement){ PLACE_ABOVE, at.position };
	case BELOW_BY:
		return (struct placement){ PLACE_BELOW, at.position };
	default:
		return (struct placement){ PLACE_INSIDE, alignment };
	}
}

/* The forms that cannot fault need the small pairs to come to enough cases. */
static uint32_t family_aligns(const struct family *f, enum form_kind kind, uint32_t turns)
{
	switch (f->turning) {
	case TURN_SOME:
		return turns;
	case TURN_MANY:
		return turns > MANY_TURNS ? turns : MANY_TURNS;
	case TURN_ALL:
		return ALIGNMENTS;
	case TURN_PAIRS:
		if (turns == TURNS_ALL)
			return ALL_PAIRS;
		return f->walk == WALK_LARGE_SIZES ? LARGE_TURNS : ALIGNMENTS;
	case TURN_SMALL:
		return turns < TURNS_ALL && (turns >= DENSE_TURNS || kind == FORM_PLAIN)
			       ? SMALL_PAIRS
			       : 0;
	default:
		return 1;
	}
}

/* What an alignment is turned by from step to step: each size, and each position, meets all
 * that it has steps for. */
static uint32_t phase(enum walk walk, uint32_t step, struct step at)
{
	if (walk == WALK_ENDS)
		return end_phase(step, at);
	return walk == WALK_POSITIONS ? (uint32_t)at.n + at.position : step;
}

/* Alignments of both sides for turn `i` of `aligns` at a step of this phase; what a family
 * does not leave free is not looked at. */
static void turn(const struct family *f, uint32_t aligns, uint32_t step, uint32_t i,
		 uint32_t alignment[SIDES])
{
	if (aligns > ALIGNMENTS) {
		uint32_t side = aligns == ALL_PAIRS ? ALIGNMENTS : SMALL_ALIGNS;
		alignment[TO] = i / side;
		alignment[FROM] = i % side;
		return;
	}
	/* Odd factors: as the steps go on, the alignment and the difference of two
	 * alignments each take every value. */
	uint32_t a = i * (ALIGNMENTS / aligns) + step * 5;
	alignment[TO] = a % ALIGNMENTS;
	alignment[FROM] = f->lie[TO] == FREE ? (a + step * 13) % ALIGNMENTS : a % ALIGNMENTS;
}

/* Whether a side of such a form can lie so on such a machine. */
static bool lie_possible(enum lie lie, enum side side, const struct cases *cases)
{
	static const bool user[FORM_KINDS][SIDES] = {
		[FORM_TO_USER] = { true, false },
		[FORM_FROM_USER] = { false, true },
		[FORM_FROM_USER_ZERO] = { false, true },
		[FORM_IN_USER] = { true, true },
	};
	bool is_user = user[cases->kind][side];
	switch (lie) {
	case ENDS_AT:
	case BEGINS_AT:
	case ENDS_TOO:
		return is_user;
	case LARGE_ENDS_AT:
		return is_user && cases->offers & OFFER_LARGE;
	case READ_ONLY_AT:
		return is_user && cases->offers & OFFER_READ_ONLY;
	case DEMAND_AT:
		return is_user && cases->offers & OFFER_DEMAND;
	case NONCANONICAL:
		return is_user && cases->offers & OFFER_NONCANONICAL;
	case IN_KERNEL:
	case WRAPS_AT:
		return cases->kind == FORM_FROM_USER_ZERO;
	case ABOVE_BY:
	case BELOW_BY:
		return cases->memmove && user[cases->kind][TO] == user[cases->kind][FROM];
	default:
		return true;
	}
}

static uint32_t family_count(const struct family *f, const struct cases *cases)
{
	for (enum side side = TO; side < SIDES; side++)
		if (!lie_possible(f->lie[side], side, cases))
			return 0;
	return walk_steps(f->walk, cases) * family_aligns(f, cases->kind, cases->turns);
}

struct cases cases_make(enum form_kind kind, bool memmove, uint32_t turns, uint32_t offers)
{
	struct cases cases = { kind, memmove, turns, offers, sparseness(kind, turns), { 0 } };
	find_large_steps();
	for (size_t i = 0; i < FAMILIES; i++)
		cases.begin[i + 1] = cases.begin[i] + family_count(&families[i], &cases);
	return cases;
}

void cases_get(const struct cases *cases, uint32_t index, struct contract_case *c)
{
	uint32_t number = 0;
	while (index >= cases->begin[number + 1])
		number++;
	const struct family *f = &families[number];
	index -= cases->begin[number];

	uint32_t aligns = family_aligns(f, cases->kind, cases->turns);
	uint32_t step = index / aligns, alignment[SIDES];
	struct step at = walk_step(f->walk, cases, step);
	turn(f, aligns, phase(f->walk, step, at), index % aligns, alignment);
	c->n = at.n;
	for (enum side side = TO; side < SIDES; side++)
		c->side[side] = lie_place(f->lie[side], at, alignment[side]);
}

/* A number out of the i-th of `parts` equal parts of 0..count-1. */
static uint32_t draw(struct random *r, uint64_t i, uint64_t parts, uint32_t count)
{
	uint32_t begin = (uint32_t)(i * count / parts), end = (uint32_t)((i + 1) * count / parts);
	return begin < end ? begin + random_below(r, end - begin) : begin;
}

static uint32_t family_size(const struct cases *cases, size_t number)
{
	return cases->begin[number + 1] - cases->begin[number];
}

/* Which is the `number`-th family that has any cases. */
static size_t family_find(const struct cases *cases, uint32_t number)
{
	for (size_t f = 0;; f++)
		if (family_size(cases, f) && number-- == 0)
			return f;
}

void cases_draw(const struct cases *cases, struct random *r, uint64_t i, uint64_t wanted,
		struct contract_case *c)
{
	uint32_t all = cases_count(cases), possible = 0;
	if (wanted >= all) {
		cases_get(cases, (uint32_t)i, c);
		return;
	}
	if (i % 2) {
		cases_get(cases, draw(r, i, wanted, all), c);
		return;
	}
	for (size_t f = 0; f < FAMILIES; f++)
		possible += family_size(cases, f) > 0;
	size_t f = family_find(cases, (uint32_t)(i / 2 % possible));
	uint64_t round = i / 2 / possible, rounds = wanted / 2 / possible + 1;
	uint32_t at = round ? draw(r, round, rounds, family_size(cases, f)) : 0;
	cases_get(cases, cases->begin[f] + at, c);
}

static bool side_admissible(const struct form *form, const struct contract_case *c, enum side side)
{
	bool to = form_destination_is_user(form), from = form_source_is_user(form);
	bool user = side == TO ? to : from;
	if (case_alignment(c, side) & ((uint32_t)form->alignment - 1))
		return false;
	switch (c->side[side].place) {
	case PLACE_READ_ONLY:
		return user && side == TO;
	case PLACE_KERNEL:
	case PLACE_WRAP:
		return form->kind == FORM_FROM_USER_ZERO && side == FROM;
	case PLACE_ABOVE:
	case PLACE_BELOW:
		return form->memmove && to == from && side == FROM &&
		       c->side[TO].place == PLACE_INSIDE;
	case PLACE_DEMAND:
	case PLACE_LARGE:
		return user;
	default:
		return user || case_reachable(c, side) == c->n;
	}
}

bool case_admissible(const struct form *form, const struct contract_case *c)
{
	if (c->n < form->minimum || (c->n & (form->alignment - 1)) || !case_fits(c))
		return false;
	if (c->n > CASE_SIZE_MAX &&
	    (!form_source_is_user(form) || case_reachable(c, FROM) > CASE_POISON))
		return false;
	return side_admissible(form, c, TO) && side_admissible(form, c, FROM);
}

bool case_offered(const struct contract_case *c, uint32_t offers)
{
	static const uint32_t needs[] = {
		[PLACE_LARGE] = OFFER_LARGE,
		[PLACE_READ_ONLY] = OFFER_READ_ONLY,
		[PLACE_DEMAND] = OFFER_DEMAND,
		[PLACE_NONCANONICAL] = OFFER_NONCANONICAL,
		[PLACE_BELOW] = 0,
	};
	return !((needs[c->side[TO].place] | needs[c->side[FROM].place]) & ~offers);
}
