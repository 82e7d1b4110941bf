/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/judge.h"

#include "lib/differ.h"
#include "lib/string.h"

/* A byte pattern is read as words of any alignment. */
typedef uintptr_t any_word __attribute__((may_alias, aligned(1)));

static size_t first_not_zero(const uint8_t *a, size_t n)
{
	size_t i = 0;
	while (i + sizeof(any_word) <= n && *(const any_word *)(a + i) == 0)
		i += sizeof(any_word);
	while (i < n && a[i] == 0)
		i++;
	return i;
}

/* The first breach that can be placed is the one that is shown. */
static void breach_at(struct verdict *v, enum breach what, ptrdiff_t offset, uint8_t expected,
		      uint8_t got)
{
	v->breaches |= what;
	if (v->located)
		return;
	v->located = true;
	v->offset = offset;
	v->expected = expected;
	v->got = got;
}

/* [begin, end) of `now` must be as in `expected`. */
static void must_equal(struct verdict *v, enum breach what, const uint8_t *now,
		       const uint8_t *expected, ptrdiff_t begin, ptrdiff_t end)
{
	if (begin >= end)
		return;
	size_t n = (size_t)(end - begin), i = first_difference(now + begin, expected + begin, n);
	if (i < n) {
		ptrdiff_t at = begin + (ptrdiff_t)i;
		breach_at(v, what, at, expected[at], now[at]);
	}
}

static ptrdiff_t smaller(ptrdiff_t a, ptrdiff_t b)
{
	return a < b ? a : b;
}

static ptrdiff_t larger(ptrdiff_t a, ptrdiff_t b)
{
	return a > b ? a : b;
}

/* What a form that does not zero left in the residue: as it was by the letter; the
 * source's own bytes are still safe, since whoever believes the residue never looks
 * there; anything else is not. */
static void judge_rest(const struct scene *s, struct verdict *v, ptrdiff_t begin, ptrdiff_t end)
{
	if (begin >= end || first_difference(s->to + begin, s->prior + begin,
					     (size_t)(end - begin)) == (size_t)(end - begin))
		return;
	for (ptrdiff_t i = begin; i < end; i++) {
		if (s->to[i] == s->prior[i])
			continue;
		enum breach what = s->to[i] == s->original[i] ? BREACH_STRAY : BREACH_REST;
		if (!(v->breaches & what))
			breach_at(v, what, i, s->prior[i], s->to[i]);
	}
}

static void judge_zeroed(const struct scene *s, struct verdict *v, ptrdiff_t begin, ptrdiff_t end)
{
	if (begin >= end)
		return;
	size_t n = (size_t)(end - begin), i = first_not_zero(s->to + begin, n);
	if (i < n)
		breach_at(v, BREACH_NOT_ZERO, begin + (ptrdiff_t)i, 0, s->to[begin + (ptrdiff_t)i]);
}

/* No offset that is looked at is larger; sizes up to SIZE_MAX are asked for. */
#define SEEN_MAX (PTRDIFF_MAX / 4)

static void judge_memory(const struct scene *s, struct verdict *v, size_t claimed)
{
	ptrdiff_t n = s->n < SEEN_MAX ? (ptrdiff_t)s->n : SEEN_MAX, begin = larger(s->to_begin, 0),
		  end = smaller(s->to_end, n);
	ptrdiff_t split =
		larger(begin, claimed < SEEN_MAX ? smaller(end, (ptrdiff_t)claimed) : end);
	must_equal(v, BREACH_OUTSIDE, s->to, s->prior, s->to_begin, smaller(s->to_end, 0));
	must_equal(v, BREACH_BYTES, s->to, s->original, begin, split);
	if (s->zeroes)
		judge_zeroed(s, v, split, end);
	else
		judge_rest(s, v, split, end);
	must_equal(v, BREACH_OUTSIDE, s->to, s->prior, larger(s->to_begin, n), s->to_end);
	must_equal(v, BREACH_SOURCE, s->from, s->original, s->from_begin, s->from_end);
}

static void judge_residue(const struct scene *s, struct verdict *v, size_t residue)
{
	size_t best = s->n - s->reachable;
	if (residue > s->n || (best == 0 && residue != 0))
		v->breaches |= BREACH_RESIDUE;
	if (residue < best)
		v->breaches |= BREACH_CLAIM;
	if (residue == s->n && s->reachable > 0)
		v->breaches |= BREACH_NOTHING;
	if (residue > best && residue <= s->n)
		v->slack = residue - best;
}

/* RFC 1071, over little-endian words, folded and not complemented (copies/csum.inc). */
static uint32_t internet_sum(const uint8_t *bytes, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)bytes[i] << (i & 1 ? 8 : 0);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint32_t)sum;
}

void judge(const struct scene *s, const struct outcome *o, struct verdict *v)
{
	memset(v, 0, sizeof(*v));
	if (!o->returned) {
		v->breaches = BREACH_GAVE_UP;
		return;
	}
	if (o->broken || (o->fpu & ~s->files))
		v->breaches |= BREACH_STATE;
	judge_residue(s, v, o->residue);
	/* A residue that is no residue claims nothing. */
	size_t claimed = o->residue <= s->n ? s->n - o->residue : 0;
	judge_memory(s, v, claimed);
	if (s->csum && o->second != internet_sum(s->original, claimed))
		v->breaches |= BREACH_SUM;
}

const char *breach_text(unsigned bit)
{
	static const char *const text[BREACHES] = {
		"given up: it faulted where nothing was ready for it, or never returned",
		"registers, flags or FPU state were not kept",
		"the residue is above n, or not 0 although nothing faulted",
		"claims bytes that could not be copied",
		"a claimed byte is not the source's",
		"a store outside the destination",
		"the source was changed",
		"a byte of the residue was not zeroed",
		"a byte of the residue is neither as it was nor the source's",
		"the checksum is not that of the claimed bytes",
		"bytes past n - residue were stored",
		"nothing copied although a byte was readable",
	};
	return bit < BREACHES ? text[bit] : "";
}
