/* SPDX-License-Identifier: BSD-2-Clause */
/* The judge against copies that break the contract in one way each. */
#include "suite/contract/judge.h"

#include "lib/differ.h"
#include "tests/unit/test.h"

#include <string.h>

#define AROUND 32
#define ROOM   (300 + 2 * AROUND)

static uint8_t to[ROOM], prior[ROOM], from[ROOM], original[ROOM];
static struct scene scene;
static struct outcome outcome;

/* A destination and a source of n bytes, of which `reachable` can be copied, and an
 * outcome that claims all of these. Nothing is copied yet. */
static void set(size_t n, size_t reachable, bool zeroes)
{
	for (size_t i = 0; i < ROOM; i++) {
		prior[i] = to[i] = (uint8_t)(0x80 | (i * 7));
		original[i] = from[i] = (uint8_t)(1 + i * 5 % 127);
	}
	scene = (struct scene){
		.n = n,
		.reachable = reachable,
		.zeroes = zeroes,
		.to = to + AROUND,
		.prior = prior + AROUND,
		.to_begin = -AROUND,
		.to_end = (ptrdiff_t)n + AROUND,
		.from = from + AROUND,
		.original = original + AROUND,
		.from_begin = -AROUND,
		.from_end = (ptrdiff_t)reachable,
	};
	outcome = (struct outcome){ .residue = n - reachable, .returned = true };
}

/* What a sound routine does. */
static void copy(void)
{
	size_t moved = scene.n - outcome.residue;
	memcpy(to + AROUND, from + AROUND, moved);
	if (scene.zeroes)
		memset(to + AROUND + moved, 0, outcome.residue);
}

static struct verdict judged(void)
{
	struct verdict v;
	judge(&scene, &outcome, &v);
	return v;
}

static void check_breach(uint32_t breaches, bool safe)
{
	struct verdict v = judged();
	CHECK_NUMBER(v.breaches, breaches);
	CHECK(verdict_holds(&v, GRADE_SAFE) == safe);
	CHECK(!verdict_holds(&v, GRADE_LITERAL));
}

TEST(judge_passes_an_exact_copy)
{
	for (size_t n = 0; n <= 300; n++) {
		for (size_t reachable = 0; reachable <= n; reachable += 1 + n / 16) {
			set(n, reachable, n % 2);
			copy();
			struct verdict v = judged();
			CHECK_NUMBER(v.breaches, 0);
			CHECK_NUMBER(v.slack, 0);
		}
	}
}

TEST(judge_measures_slack)
{
	set(100, 70, false);
	outcome.residue += 6;
	copy();
	struct verdict v = judged();
	CHECK_NUMBER(v.breaches, 0);
	CHECK_NUMBER(v.slack, 6);
}

TEST(judge_knows_stray_stores_as_safe)
{
	set(100, 70, false);
	copy();
	outcome.residue += 6;
	check_breach(BREACH_STRAY, true);
	CHECK_NUMBER(judged().offset, 64);
}

TEST(judge_knows_nothing_copied_as_safe)
{
	set(100, 1, false);
	outcome.residue = 100;
	check_breach(BREACH_NOTHING, true);
	set(100, 0, false);
	CHECK_NUMBER(judged().breaches, 0);
}

TEST(judge_fails_a_residue_without_a_fault)
{
	set(100, 100, false);
	outcome.residue = 1;
	copy();
	check_breach(BREACH_RESIDUE, false);
}

TEST(judge_fails_a_residue_above_n)
{
	set(100, 0, false);
	outcome.residue = 101;
	check_breach(BREACH_RESIDUE, false);
}

TEST(judge_fails_a_claim_of_what_is_not_there)
{
	set(100, 70, false);
	outcome.residue = 29;
	scene.to_end = 70; /* the destination ends at the fault as well */
	memcpy(to + AROUND, from + AROUND, 70);
	check_breach(BREACH_CLAIM, false);
}

TEST(judge_fails_a_claimed_byte_that_is_wrong)
{
	set(100, 70, false);
	copy();
	to[AROUND + 69] ^= 1;
	check_breach(BREACH_BYTES, false);
	struct verdict v = judged();
	CHECK(v.located);
	CHECK_NUMBER(v.offset, 69);
	CHECK_NUMBER(v.expected, from[AROUND + 69]);
	CHECK_NUMBER(v.got, to[AROUND + 69]);
}

TEST(judge_fails_stores_outside)
{
	set(100, 100, false);
	copy();
	to[AROUND - 1] = 5;
	check_breach(BREACH_OUTSIDE, false);
	CHECK(judged().offset == -1);
	set(100, 100, false);
	copy();
	to[AROUND + 100] = 0;
	check_breach(BREACH_OUTSIDE, false);
}

TEST(judge_fails_a_changed_source)
{
	set(100, 100, false);
	copy();
	from[AROUND - AROUND] ^= 1;
	check_breach(BREACH_SOURCE, false);
}

TEST(judge_fails_zeroing_that_is_not_exact)
{
	set(100, 70, true);
	copy();
	to[AROUND + 99] = prior[AROUND + 99];
	check_breach(BREACH_NOT_ZERO, false);
	set(100, 70, true);
	copy();
	to[AROUND + 100] = 0;
	check_breach(BREACH_OUTSIDE, false);
	set(100, 70, true);
	copy();
	to[AROUND + 69] = 0;
	check_breach(BREACH_BYTES, false);
}

TEST(judge_fails_zeroing_where_none_is_allowed)
{
	set(100, 70, false);
	copy();
	to[AROUND + 70] = 0;
	check_breach(BREACH_REST, false);
}

TEST(judge_fails_a_lost_register_and_a_routine_given_up)
{
	set(100, 100, false);
	copy();
	outcome.broken = BROKEN_DF;
	check_breach(BREACH_STATE, false);
	outcome.returned = false;
	check_breach(BREACH_GAVE_UP, false);
}

TEST(judge_looks_at_no_more_than_there_is)
{
	/* the area begins at byte 10 of the destination: nothing of it may be claimed */
	set(100, 0, false);
	scene.to_begin = 10;
	memset(to, 0, AROUND + 10);
	CHECK_NUMBER(judged().breaches, 0);
	to[AROUND + 10] = from[AROUND + 10];
	check_breach(BREACH_STRAY, true);
}

TEST(every_breach_has_its_words)
{
	for (unsigned i = 0; i < BREACHES; i++)
		CHECK(breach_text(i)[0] != '\0');
	CHECK(breach_text(BREACHES)[0] == '\0');
}

TEST(first_difference_finds_the_byte)
{
	uint8_t a[64], b[64];
	for (size_t n = 0; n < 40; n++) {
		memset(a, 3, sizeof(a));
		memset(b, 3, sizeof(b));
		CHECK_NUMBER(first_difference(a + 1, b + 2, n), n);
		for (size_t i = 0; i < n; i++) {
			b[2 + i] = 4;
			CHECK_NUMBER(first_difference(a + 1, b + 2, n), i);
			b[2 + i] = 3;
		}
	}
}

TEST(judge_fails_a_checksum_of_other_bytes)
{
	set(100, 3, false);
	copy();
	scene.csum = true;
	outcome.second = (from[AROUND] | from[AROUND + 1] << 8) + from[AROUND + 2];
	CHECK_NUMBER(judged().breaches, 0);
	outcome.second++;
	check_breach(BREACH_SUM, false);
}
