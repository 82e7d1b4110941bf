/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/arena.h"

#include "lib/random.h"
#include "lib/string.h"

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

bool arena_map(struct arena *arena, const char **why)
{
	memset(arena, 0, sizeof(*arena));
	for (enum side side = TO; side < SIDES; side++) {
		for (int user = 0; user < 2; user++) {
			if (!machine_area_map(user ? AREA_USER : AREA_KERNEL, ACCESS_READ_WRITE,
					      CASE_AREA_BYTES, &arena->area[side][user], why))
				return false;
		}
		if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, MODEL_BYTES,
				      &arena->memory[side], why))
			return false;
	}
	fill_models(arena);
	arena_restore(arena);
	return true;
}

void arena_unmap(struct arena *arena)
{
	for (enum side side = TO; side < SIDES; side++) {
		for (int user = 0; user < 2; user++)
			if (arena->area[side][user].size)
				machine_area_unmap(&arena->area[side][user]);
		if (arena->memory[side].size)
			machine_area_unmap(&arena->memory[side]);
	}
}

bool arena_restore(struct arena *arena)
{
	bool intact = true;
	for (enum side side = TO; side < SIDES; side++) {
		const uint8_t *model = arena->model[side];
		for (int user = 0; user < 2; user++) {
			uint8_t *now = arena->area[side][user].alias;
			if (first_difference(now, model, CASE_AREA_BYTES) == CASE_AREA_BYTES)
				continue;
			intact = false;
			memcpy(now, model, CASE_AREA_BYTES);
		}
	}
	return intact;
}

/* What of a side to look at: the buffer with `around` bytes on both sides, as far as
 * the area goes. Offsets count from the buffer's byte 0. */
static void window(const struct contract_case *c, enum side side, size_t around, ptrdiff_t *begin,
		   ptrdiff_t *end)
{
	ptrdiff_t offset = case_offset(c, side);
	ptrdiff_t area_begin = -offset, area_end = (ptrdiff_t)CASE_AREA_BYTES - offset;
	*begin = -(ptrdiff_t)around;
	*end = (ptrdiff_t)(c->n + around);
	if (*begin < area_begin)
		*begin = area_begin;
	if (*end > area_end)
		*end = area_end;
}

static void set_scene(const struct arena *arena, const struct form *form,
		      const struct contract_case *c, enum look look, struct scene *s)
{
	const struct area *to = &arena->area[TO][form_destination_is_user(form)];
	const struct area *from = &arena->area[FROM][form_source_is_user(form)];
	size_t to_reachable = case_reachable(c, TO), from_reachable = case_reachable(c, FROM);
	size_t around = look == LOOK_AROUND ? CASE_POISON : CASE_AREA_BYTES;
	s->n = c->n;
	s->reachable = to_reachable < from_reachable ? to_reachable : from_reachable;
	s->zeroes = form->kind == FORM_FROM_USER_ZERO;
	s->files = form->routine->files;
	s->csum = form->csum;
	s->to = to->alias + case_offset(c, TO);
	s->prior = arena->model[TO] + case_offset(c, TO);
	s->from = from->alias + case_offset(c, FROM);
	s->original = arena->model[FROM] + case_offset(c, FROM);
	window(c, TO, around, &s->to_begin, &s->to_end);
	window(c, FROM, around, &s->from_begin, &s->from_end);
}

/* After a sound case, only the destination's own bytes have changed. */
static void put_back(const struct scene *s)
{
	ptrdiff_t begin = s->to_begin > 0 ? s->to_begin : 0;
	ptrdiff_t end = s->to_end < (ptrdiff_t)s->n ? s->to_end : (ptrdiff_t)s->n;
	if (begin < end)
		memcpy((uint8_t *)s->to + begin, s->prior + begin, (size_t)(end - begin));
}

void arena_run(struct arena *arena, const struct form *form, const struct contract_case *c,
	       enum look look, struct trial *t)
{
	struct scene s;
	set_scene(arena, form, c, look, &s);
	machine_call(form->entry,
		     arena->area[TO][form_destination_is_user(form)].base + case_offset(c, TO),
		     arena->area[FROM][form_source_is_user(form)].base + case_offset(c, FROM), c->n,
		     &t->outcome);
	judge(&s, &t->outcome, &t->verdict);
	if (t->verdict.breaches & BREACH_UNSAFE)
		arena_restore(arena);
	else
		put_back(&s);
}
