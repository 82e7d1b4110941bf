/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/case.h"

#include "lib/format.h"
#include "lib/string.h"

ptrdiff_t case_offset(const struct contract_case *c, enum side side)
{
	const struct placement *p = &c->side[side];
	switch (p->place) {
	case PLACE_END:
		return (ptrdiff_t)CASE_AREA_BYTES - (ptrdiff_t)p->at;
	case PLACE_BEGIN:
		return -(ptrdiff_t)p->at;
	default:
		return (ptrdiff_t)(CASE_POISON + p->at);
	}
}

size_t case_reachable(const struct contract_case *c, enum side side)
{
	const struct placement *p = &c->side[side];
	if (p->place == PLACE_END && p->at < c->n)
		return p->at;
	if (p->place == PLACE_BEGIN && p->at > 0)
		return 0;
	return c->n;
}

uint32_t case_alignment(const struct contract_case *c, enum side side)
{
	return (uint32_t)case_offset(c, side) % CASE_ALIGNMENTS;
}

bool case_faults(const struct contract_case *c)
{
	return case_reachable(c, TO) < c->n || case_reachable(c, FROM) < c->n;
}

/* ------------------------------------------------------------ text */

static const char *const side_names[SIDES] = { [TO] = "to", [FROM] = "from" };
static const char *const place_names[] = {
	[PLACE_INSIDE] = "", [PLACE_END] = "_end", [PLACE_BEGIN] = "_begin"
};
#define PLACES (sizeof(place_names) / sizeof(place_names[0]))

void case_print(const struct contract_case *c, char text[CASE_TEXT_MAX])
{
	const struct placement *to = &c->side[TO], *from = &c->side[FROM];
	format(text, CASE_TEXT_MAX, "n=%zu,to%s=%u,from%s=%u", c->n, place_names[to->place], to->at,
	       place_names[from->place], from->at);
}

/* Takes `word` off the front of *text. */
static bool take(const char **text, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(*text, word, length) != 0)
		return false;
	*text += length;
	return true;
}

static bool take_number(const char **text, uint32_t limit, uint32_t *value)
{
	const char *s = *text;
	uint32_t v = 0;
	for (; *s >= '0' && *s <= '9'; s++) {
		v = v * 10 + (uint32_t)(*s - '0');
		if (v > limit)
			return false;
	}
	if (s == *text || (*s && *s != ','))
		return false;
	*text = *s ? s + 1 : s;
	*value = v;
	return true;
}

static bool take_placement(const char **text, struct contract_case *c)
{
	for (enum side side = TO; side < SIDES; side++) {
		if (!take(text, side_names[side]))
			continue;
		for (size_t place = PLACES; place-- > 0;) {
			if (!take(text, place_names[place]))
				continue;
			c->side[side].place = (enum place)place;
			return take(text, "=") &&
			       take_number(text,
					   place == PLACE_INSIDE ? CASE_ALIGNMENTS - 1
								 : CASE_SIZE_MAX,
					   &c->side[side].at);
		}
	}
	return false;
}

bool case_parse(const char *text, struct contract_case *c, const char **bad)
{
	*c = (struct contract_case){ 0 };
	while (*text) {
		uint32_t n;
		*bad = text;
		if (take(&text, "n=")) {
			if (!take_number(&text, CASE_SIZE_MAX, &n))
				return false;
			c->n = n;
		} else if (!take_placement(&text, c)) {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------ shrinking */

struct shrink {
	struct contract_case *best;
	bool (*fails)(const struct contract_case *, void *);
	void *context;
	unsigned budget;
};

static bool try_case(struct shrink *s, const struct contract_case *c)
{
	if (s->budget == 0)
		return false;
	s->budget--;
	if (!s->fails(c, s->context))
		return false;
	*s->best = *c;
	return true;
}

/* n less `less`; a position keeps its distance from the buffer's end or, if that does
 * not fail, from its start. */
static bool try_size(struct shrink *s, size_t less)
{
	if (less == 0 || less > s->best->n)
		return false;
	struct contract_case c = *s->best;
	c.n -= less;
	if (try_case(s, &c))
		return true;
	for (enum side side = TO; side < SIDES; side++) {
		struct placement *p = &c.side[side];
		if (p->place == PLACE_END)
			p->at = p->at > less ? p->at - (uint32_t)less : 0;
	}
	return try_case(s, &c);
}

static bool try_placement(struct shrink *s, enum side side, enum place place, uint32_t at)
{
	struct contract_case c = *s->best;
	c.side[side] = (struct placement){ place, at };
	return try_case(s, &c);
}

static bool shrink_side(struct shrink *s, enum side side)
{
	struct placement p = s->best->side[side];
	if (p.place != PLACE_INSIDE && try_placement(s, side, PLACE_INSIDE, 0))
		return true;
	if (p.place == PLACE_END && p.at >= s->best->n)
		return false; /* just fits: a lower position would be another case */
	if (p.at == 0)
		return false;
	return try_placement(s, side, p.place, 0) || try_placement(s, side, p.place, p.at / 2) ||
	       try_placement(s, side, p.place, p.at - 1);
}

void case_shrink(struct contract_case *c, bool (*fails)(const struct contract_case *, void *),
		 void *context, unsigned budget)
{
	struct shrink s = { c, fails, context, budget };
	bool smaller = true;
	while (smaller && s.budget) {
		smaller = try_size(&s, c->n / 2) || try_size(&s, 64) || try_size(&s, 16) ||
			  try_size(&s, 4) || try_size(&s, 1);
		smaller = shrink_side(&s, TO) || smaller;
		smaller = shrink_side(&s, FROM) || smaller;
	}
}
