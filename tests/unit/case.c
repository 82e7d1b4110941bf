/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/case.h"

#include "tests/unit/test.h"

static struct contract_case parsed(const char *text)
{
	struct contract_case c;
	const char *bad;
	CHECK(case_parse(text, &c, &bad));
	return c;
}

TEST(case_text_is_read_back_as_it_was_printed)
{
	static const char *const texts[] = {
		"n=0,to=0,from=0",
		"n=67,to=3,from_end=64",
		"n=65537,to_begin=0,from=63",
		"n=300,to_end=299,from_end=1",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct contract_case c = parsed(texts[i]);
		char text[CASE_TEXT_MAX];
		case_print(&c, text);
		CHECK_TEXT(text, texts[i]);
	}
}

TEST(case_text_that_is_no_case_is_refused)
{
	static const char *const texts[] = {
		"n=99999999999999999999",
		"n=",
		"n=1x",
		"to=64",
		"to_middle=1",
		"from_end",
		"n=1;to=2",
		"m=4",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct contract_case c;
		const char *bad = NULL;
		CHECK(!case_parse(texts[i], &c, &bad));
		CHECK(bad != NULL);
	}
}

TEST(a_position_fixes_the_alignment)
{
	struct contract_case c = parsed("n=100,to=5,from_end=70");
	CHECK_NUMBER(case_alignment(&c, TO), 5);
	CHECK_NUMBER(case_alignment(&c, FROM), (64 - 70 % 64) % 64);
	CHECK_NUMBER(case_offset(&c, FROM) + 70, CASE_AREA_BYTES);
	c = parsed("n=100,to_begin=3,from=0");
	CHECK(case_offset(&c, TO) == -3);
	CHECK_NUMBER(case_alignment(&c, TO), 61);
}

TEST(what_a_forward_copy_can_reach)
{
	struct contract_case c = parsed("n=100,to=5,from_end=70");
	CHECK_NUMBER(case_reachable(&c, TO), 100);
	CHECK_NUMBER(case_reachable(&c, FROM), 70);
	CHECK(case_faults(&c));
	c = parsed("n=100,to_end=100,from_begin=0");
	CHECK(!case_faults(&c));
	c = parsed("n=100,to_begin=1,from=0");
	CHECK_NUMBER(case_reachable(&c, TO), 0);
	c = parsed("n=0,to_begin=1,from_end=0");
	CHECK(!case_faults(&c));
}

/* ------------------------------------------------------------ shrinking */

struct asked {
	unsigned times;
};

static bool long_and_odd(const struct contract_case *c, void *context)
{
	((struct asked *)context)->times++;
	return c->n >= 37 && case_alignment(c, TO) % 2 == 1;
}

TEST(shrinking_finds_the_smallest_case)
{
	struct asked asked = { 0 };
	struct contract_case c = parsed("n=65537,to=63,from_end=4097");
	char text[CASE_TEXT_MAX];
	case_shrink(&c, long_and_odd, &asked, 600);
	case_print(&c, text);
	CHECK_TEXT(text, "n=37,to=1,from=0");
	CHECK(asked.times <= 600);
}

/* A routine that reads 5 bytes past a source that just fits. */
static bool reads_past_the_end(const struct contract_case *c, void *context)
{
	((struct asked *)context)->times++;
	return c->side[FROM].place == PLACE_END && c->side[FROM].at >= c->n &&
	       c->side[FROM].at < c->n + 5 && c->n >= 8;
}

TEST(shrinking_keeps_a_buffer_that_just_fits)
{
	struct asked asked = { 0 };
	struct contract_case c = parsed("n=300,to=9,from_end=300");
	case_shrink(&c, reads_past_the_end, &asked, 600);
	CHECK_NUMBER(c.n, 8);
	CHECK(reads_past_the_end(&c, &asked));
}

TEST(shrinking_keeps_to_its_budget)
{
	struct asked asked = { 0 };
	struct contract_case c = parsed("n=65537,to=63,from_end=4097");
	case_shrink(&c, long_and_odd, &asked, 7);
	CHECK_NUMBER(asked.times, 7);
	CHECK(long_and_odd(&c, &asked));
}
