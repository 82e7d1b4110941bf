/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/case.h"

#include "lib/format.h"
#include "lib/string.h"

ptrdiff_t case_offset(const struct contract_case *c, enum side side)
{
	const struct placement *p = &c->side[side];
	ptrdiff_t at = (ptrdiff_t)p->at;
	switch (p->place) {
	case PLACE_END:
	case PLACE_LARGE:
		return (ptrdiff_t)CASE_AREA_BYTES - at;
	case PLACE_BEGIN:
	case PLACE_WRAP:
		return -at;
	case PLACE_READ_ONLY:
	case PLACE_DEMAND:
		return (ptrdiff_t)CASE_SPECIAL - at;
	case PLACE_ABOVE:
		return case_offset(c, TO) + at;
	case PLACE_BELOW:
		return case_offset(c, TO) - at;
	case PLACE_NONCANONICAL:
		return at;
	default:
		/* with room for a source below it */
		return (c->side[FROM].place == PLACE_BELOW ? (ptrdiff_t)CASE_SPECIAL
							   : (ptrdiff_t)CASE_POISON) +
		       at;
	}
}

size_t case_reachable(const struct contract_case *c, enum side side)
{
	const struct placement *p = &c->side[side];
	switch (p->place) {
	case PLACE_END:
	case PLACE_LARGE:
	case PLACE_READ_ONLY:
		return p->at < c->n ? p->at : c->n;
	case PLACE_BEGIN:
		return p->at > 0 ? 0 : c->n;
	case PLACE_NONCANONICAL:
	case PLACE_KERNEL:
	case PLACE_WRAP:
		return 0;
	default:
		return c->n;
	}
}

static bool side_fits(const struct contract_case *c, enum side side)
{
	ptrdiff_t offset = case_offset(c, side);
	switch (c->side[side].place) {
	case PLACE_END:
	case PLACE_LARGE:
		return c->n > CASE_SIZE_MAX ? c->side[side].at < CASE_SIZE_MAX : offset >= 0;
	case PLACE_BEGIN:
	case PLACE_NONCANONICAL:
	case PLACE_WRAP:
		return true;
	case PLACE_INSIDE:
		/* a huge copy is cut short by the other side before it leaves the area */
		if (c->n > CASE_SIZE_MAX)
			return true;
		/* fall through */
	default:
		return c->n <= CASE_SIZE_MAX && offset >= 0 &&
		       (size_t)offset + c->n <= CASE_AREA_BYTES;
	}
}

bool case_fits(const struct contract_case *c)
{
	return side_fits(c, TO) && side_fits(c, FROM);
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
	[PLACE_INSIDE] = "",          [PLACE_END] = "_end",       [PLACE_LARGE] = "_large",
	[PLACE_BEGIN] = "_begin",     [PLACE_READ_ONLY] = "_ro",  [PLACE_DEMAND] = "_demand",
	[PLACE_NONCANONICAL] = "_nc", [PLACE_KERNEL] = "_kernel", [PLACE_WRAP] = "_wrap",
	[PLACE_ABOVE] = "_above",     [PLACE_BELOW] = "_below",
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

static bool take_number(const char **text, size_t limit, size_t *value)
{
	const char *s = *text;
	size_t v = 0;
	for (; *s >= '0' && *s <= '9'; s++) {
		size_t digit = (size_t)(*s - '0');
		if (v > (limit - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (s == *text || (*s && *s != ','))
		return false;
	*text = *s ? s + 1 : s;
	*value = v;
	return true;
}

static bool aligns(enum place place)
{
	return place == PLACE_INSIDE || place == PLACE_KERNEL || place == PLACE_NONCANONICAL;
}

static bool take_placement(const char **text, struct contract_case *c)
{
	for (enum side side = TO; side < SIDES; side++) {
		if (!take(text, side_names[side]))
			continue;
		for (size_t i = PLACES; i-- > 0;) {
			enum place place = (enum place)i;
			size_t at;
			if (!take(text, place_names[i]))
				continue;
			if (!take(text, "=") ||
			    !take_number(text, aligns(place) ? CASE_ALIGNMENTS - 1 : CASE_SIZE_MAX,
					 &at))
				return false;
			c->side[side] = (struct placement){ place, (uint32_t)at };
			return true;
		}
	}
	return false;
}

bool case_parse(const char *text, struct contract_case *c, const char **bad)
{
	*c = (struct contract_case){ 0 };
	while (*text) {
		*bad = text;
		if (take(&text, "n=")) {
			if (!take_number(&text, SIZE_MAX, &c->n))
				return false;
		} else if (!take_placement(&text, c)) {
			return false;
		}
	}
	*bad = "";
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
		if (p->place != PLACE_INSIDE && p->at >= less)
			p->at -= (uint32_t)less;
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
	bool smaller = c->n <= CASE_SIZE_MAX || try_size(&s, c->n - CASE_SIZE_MAX);
	while (smaller && s.budget) {
		smaller = try_size(&s, c->n / 2) || try_size(&s, 64) || try_size(&s, 16) ||
			  try_size(&s, 4) || try_size(&s, 1);
		smaller = shrink_side(&s, TO) || smaller;
		smaller = shrink_side(&s, FROM) || smaller;
	}
}
