/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/arena.h"

#include "copies/params.h"
#include "lib/differ.h"
#include "lib/random.h"
#include "lib/string.h"
#include "suite/contract/generate.h"
#include "suite/record.h"

#define MODEL_BYTES (3 * CASE_AREA_BYTES)

/* Bytes that judge() can tell apart, in an order that repeats at no power of two. */
static void fill_models(struct arena *arena)
{
	struct random r = random_seeded(1);
	for (size_t i = 0; i < MODEL_BYTES; i++) {
		arena->memory[FROM].alias[i] = (uint8_t)(1 + random_below(&r, 127));
		arena->memory[TO].alias[i] = (uint8_t)(0x80 | random_below(&r, 128));
	}
	for (enum side side = TO; side < SIDES; side++)
		arena->model[side] = arena->memory[side].alias + CASE_AREA_BYTES;
}

static const struct {
	enum side side;
	enum area_kind kind;
} kinds[ARENA_AREAS] = {
	[TO_KERNEL] = { TO, AREA_KERNEL },     [TO_USER] = { TO, AREA_USER },
	[TO_READ_ONLY] = { TO, AREA_USER },    [TO_DEMAND] = { TO, AREA_USER },
	[FROM_KERNEL] = { FROM, AREA_KERNEL }, [FROM_USER] = { FROM, AREA_USER },
	[FROM_DEMAND] = { FROM, AREA_USER },   [TO_LARGE] = { TO, AREA_USER },
	[FROM_LARGE] = { FROM, AREA_USER },
};

static bool map_areas(struct arena *arena, const char **why)
{
	for (enum arena_area i = TO_KERNEL; i < ARENA_MAPPED; i++)
		if (!machine_area_map(kinds[i].kind, ACCESS_READ_WRITE, CASE_AREA_BYTES,
				      &arena->area[i], why))
			return false;
	for (enum side side = TO; side < SIDES; side++)
		if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, MODEL_BYTES,
				      &arena->memory[side], why))
			return false;
	return true;
}

/* Special pages that the machine cannot make are cases that are not run. */
static void make_specials(struct arena *arena)
{
	const char *why;
	arena->noncanonical = machine_noncanonical(&why);
	arena->offers = arena->noncanonical ? OFFER_NONCANONICAL : 0;
	if (!arena->noncanonical)
		record_text("contract: no addresses that raise #GP: %s", why);
	if (machine_area_protect(&arena->area[TO_READ_ONLY], CASE_SPECIAL, CASE_SPECIALS,
				 ACCESS_READ_ONLY, &why))
		arena->offers |= OFFER_READ_ONLY;
	else
		record_text("contract: no read-only pages: %s", why);
	if (machine_area_protect(&arena->area[TO_DEMAND], CASE_SPECIAL, CASE_SPECIALS,
				 ACCESS_ON_DEMAND, &why) &&
	    machine_area_protect(&arena->area[FROM_DEMAND], CASE_SPECIAL, CASE_SPECIALS,
				 ACCESS_ON_DEMAND, &why))
		arena->offers |= OFFER_DEMAND;
	else
		record_text("contract: no pages on demand: %s", why);
}

/* The last CASE_AREA_BYTES of a large page, as an area like the others. */
static bool take_large(struct area *area, unsigned index, const char **why)
{
	size_t page = machine_large_page(0);
	*why = "the CPU has none";
	if (!page || !machine_area_large_user(page, index, area, why)) {
		area->size = 0;
		return false;
	}
	area->base += page - CASE_AREA_BYTES;
	area->alias += page - CASE_AREA_BYTES;
	area->size = CASE_AREA_BYTES;
	return true;
}

static void take_larges(struct arena *arena)
{
	const char *why;
	if (take_large(&arena->area[TO_LARGE], 0, &why) &&
	    take_large(&arena->area[FROM_LARGE], 1, &why))
		arena->offers |= OFFER_LARGE;
	else
		record_text("contract: no user memory on large pages: %s", why);
}

bool arena_map(struct arena *arena, const char **why)
{
	memset(arena, 0, sizeof(*arena));
	if (!map_areas(arena, why))
		return false;
	fill_models(arena);
	make_specials(arena);
	take_larges(arena);
	arena_restore(arena);
	return true;
}

void arena_unmap(struct arena *arena)
{
	for (enum arena_area i = TO_KERNEL; i < ARENA_MAPPED; i++)
		if (arena->area[i].size)
			machine_area_unmap(&arena->area[i]);
	for (enum side side = TO; side < SIDES; side++)
		if (arena->memory[side].size)
			machine_area_unmap(&arena->memory[side]);
}

bool arena_restore(struct arena *arena)
{
	bool intact = true;
	for (enum arena_area i = TO_KERNEL; i < ARENA_AREAS; i++) {
		const uint8_t *model = arena->model[kinds[i].side];
		uint8_t *now = arena->area[i].alias;
		if (!arena->area[i].size)
			continue;
		if (first_difference(now, model, CASE_AREA_BYTES) == CASE_AREA_BYTES)
			continue;
		intact = false;
		memcpy(now, model, CASE_AREA_BYTES);
	}
	return intact;
}

static bool overlaps(const struct contract_case *c)
{
	return c->side[FROM].place == PLACE_ABOVE || c->side[FROM].place == PLACE_BELOW;
}

static enum arena_area find_area(const struct form *form, const struct contract_case *c,
				 enum side side)
{
	if (side == FROM && overlaps(c))
		return find_area(form, c, TO);
	switch (c->side[side].place) {
	case PLACE_READ_ONLY:
		return TO_READ_ONLY;
	case PLACE_DEMAND:
		return side == TO ? TO_DEMAND : FROM_DEMAND;
	case PLACE_LARGE:
		return side == TO ? TO_LARGE : FROM_LARGE;
	case PLACE_KERNEL:
		return side == TO ? TO_KERNEL : FROM_KERNEL;
	default:
		if (side == TO)
			return form_destination_is_user(form) ? TO_USER : TO_KERNEL;
		return form_source_is_user(form) ? FROM_USER : FROM_KERNEL;
	}
}

/* Where the routine finds the side's byte 0. */
static uint8_t *find_address(const struct arena *arena, const struct form *form,
			     const struct contract_case *c, enum side side)
{
	ptrdiff_t offset = case_offset(c, side);
	switch (c->side[side].place) {
	case PLACE_NONCANONICAL:
		return arena->noncanonical + offset;
	case PLACE_WRAP:
		return (uint8_t *)(uintptr_t)offset;
	default:
		return arena->area[find_area(form, c, side)].base + offset;
	}
}

/* What of a side to look at: the buffer with `around` bytes on both sides, as far as
 * the area goes. Offsets count from the buffer's byte 0. */
static void window(const struct contract_case *c, enum side side, size_t around, ptrdiff_t *begin,
		   ptrdiff_t *end)
{
	enum place place = c->side[side].place;
	ptrdiff_t offset = case_offset(c, side), last = (ptrdiff_t)CASE_AREA_BYTES - offset;
	size_t n = c->n < CASE_SIZE_MAX ? c->n : CASE_SIZE_MAX;
	*begin = *end = 0;
	if (place == PLACE_NONCANONICAL || place == PLACE_WRAP)
		return;
	*begin = -(ptrdiff_t)around > -offset ? -(ptrdiff_t)around : -offset;
	*end = (ptrdiff_t)(n + around) < last ? (ptrdiff_t)(n + around) : last;
}

/* copy_from_user refuses sizes above INT_MAX and touches nothing then. */
static bool refused(const struct form *form, const struct contract_case *c)
{
	return form->kind == FORM_FROM_USER_ZERO && c->n > 0x7fffffff;
}

static void set_scene(const struct arena *arena, const struct form *form,
		      const struct contract_case *c, enum look look, struct scene *s)
{
	const struct area *to = &arena->area[find_area(form, c, TO)];
	const struct area *from = &arena->area[find_area(form, c, FROM)];
	size_t to_reachable = case_reachable(c, TO), from_reachable = case_reachable(c, FROM);
	size_t around = look == LOOK_AROUND ? CASE_POISON : CASE_AREA_BYTES;
	ptrdiff_t to_offset = case_offset(c, TO), from_offset = case_offset(c, FROM);
	s->n = c->n;
	s->reachable = to_reachable < from_reachable ? to_reachable : from_reachable;
	if (refused(form, c))
		s->reachable = 0;
	s->zeroes = form->kind == FORM_FROM_USER_ZERO && !refused(form, c);
	s->files = form->routine->files;
	s->csum = form->csum;
	s->to = to->alias + to_offset;
	s->prior = arena->model[TO] + to_offset;
	s->from = from->alias + from_offset;
	s->original = arena->model[overlaps(c) ? TO : FROM] + from_offset;
	window(c, TO, around, &s->to_begin, &s->to_end);
	/* what happens to the rest of it is seen when all is over, as any store far away */
	window(c, FROM, look == LOOK_AROUND ? CASE_ALIGNMENTS : around, &s->from_begin,
	       &s->from_end);
	if (overlaps(c))
		s->from_begin = s->from_end = 0; /* as much of it as is not `to` is around that */
}

/* After a sound case, only the destination's own bytes have changed. */
static void put_back(const struct scene *s)
{
	size_t n = s->n < CASE_SIZE_MAX ? s->n : CASE_SIZE_MAX;
	ptrdiff_t begin = s->to_begin > 0 ? s->to_begin : 0;
	ptrdiff_t end = s->to_end < (ptrdiff_t)n ? s->to_end : (ptrdiff_t)n;
	if (begin < end)
		memcpy((uint8_t *)s->to + begin, s->prior + begin, (size_t)(end - begin));
}

/* Of the parameter block: where a routine that chooses by size, or by what CPUID says, goes
 * another way. */
struct thresholds {
	uintptr_t l2_bytes, nt_from;
	uint32_t femms, erms, fsrm;
};

/* No cache to speak of, and nothing promised. */
static const struct thresholds least = { .l2_bytes = 512, .nt_from = 512 };

/* Half of the cases are run with these, so that both ways are taken on any CPU. Which half
 * is written in the case itself, for case= to do the same. */
static bool takes_least(const struct contract_case *c)
{
	uint32_t mixed = (uint32_t)c->n * 0x9e3779b1 + c->side[TO].at * 0x85ebca6b +
			 c->side[FROM].at * 0xc2b2ae35;
	return mixed >> 31;
}

static struct thresholds exchange(struct thresholds t)
{
	struct copy_params *p = &copy_params;
	struct thresholds old = { p->l2_bytes, p->nt_from, p->femms, p->erms, p->fsrm };
	p->l2_bytes = t.l2_bytes;
	p->nt_from = t.nt_from;
	p->femms = t.femms;
	p->erms = t.erms;
	p->fsrm = t.fsrm;
	return old;
}

static void call(const struct arena *arena, const struct form *form, const struct contract_case *c,
		 struct outcome *outcome)
{
	struct thresholds kept = exchange(least);
	if (!takes_least(c))
		exchange(kept);
	machine_call(form->entry, find_address(arena, form, c, TO),
		     find_address(arena, form, c, FROM), c->n, outcome);
	exchange(kept);
}

void arena_call(struct arena *arena, const struct form *form, const struct contract_case *c,
		struct outcome *outcome)
{
	const char *why;
	for (enum side side = TO; side < SIDES; side++)
		if (c->side[side].place == PLACE_DEMAND)
			machine_area_protect(&arena->area[find_area(form, c, side)], CASE_SPECIAL,
					     CASE_SPECIALS, ACCESS_ON_DEMAND, &why);
	call(arena, form, c, outcome);
}

void arena_run(struct arena *arena, const struct form *form, const struct contract_case *c,
	       enum look look, struct trial *t)
{
	struct scene s;
	set_scene(arena, form, c, look, &s);
	arena_call(arena, form, c, &t->outcome);
	judge(&s, &t->outcome, &t->verdict);
	if (t->verdict.breaches & BREACH_UNSAFE)
		arena_restore(arena);
	else
		put_back(&s);
}
