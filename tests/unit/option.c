/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/option.h"

#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

static const char *colour;
static unsigned times;

static bool set_colour(const char *value)
{
	times++;
	if (strcmp(value, "red") != 0 && strcmp(value, "blue") != 0 && *value)
		return false;
	colour = value;
	return true;
}
OPTION(unit_colour, "red|blue", "for the unit tests", set_colour);

static const struct option_problem *problem(size_t which, size_t count)
{
	const struct option_problem *list;

	CHECK_NUMBER(options_problems(&list), count);
	return &list[which];
}

TEST(options_are_set_and_their_text_kept)
{
	char line[] = "  unit_colour=red \t unit_colour=blue\n";
	const struct option_problem *list;

	times = 0;
	options_parse(line);
	memset(line, 'x', sizeof(line) - 1); /* values must not point in here */
	CHECK_TEXT(colour, "blue");
	CHECK_NUMBER(times, 2);
	CHECK_TEXT(options_text(), "unit_colour=red unit_colour=blue");
	CHECK_NUMBER(options_problems(&list), 0);
	options_parse("unit_colour=");
	CHECK_TEXT(colour, "");
	options_parse("");
	CHECK_TEXT(options_text(), "");
	options_parse(" \n");
	CHECK_TEXT(options_text(), "");
}

TEST(option_problems_are_told)
{
	colour = "as it was";
	options_parse("unit_colour=green unit_color=red unit unit_colour =red");
	CHECK_TEXT(colour, "as it was");
	CHECK_NUMBER(problem(0, 5)->what, OPTION_BAD_VALUE);
	CHECK_TEXT(problem(0, 5)->word, "unit_colour=green");
	CHECK_TEXT(problem(0, 5)->option->name, "unit_colour");
	CHECK_NUMBER(problem(1, 5)->what, OPTION_UNKNOWN);
	CHECK_TEXT(problem(1, 5)->word, "unit_color=red");
	CHECK_NUMBER(problem(2, 5)->what, OPTION_NOT_KEY_VALUE);
	CHECK_NUMBER(problem(4, 5)->what, OPTION_UNKNOWN);
}

TEST(too_many_and_too_long_options_are_told)
{
	static char line[3000];
	const struct option_problem *list;
	size_t n = 0;

	for (unsigned i = 0; i < 30; i++)
		n += (size_t)sprintf(line + n, "none%u=1 ", i);
	options_parse(line);
	CHECK_NUMBER(options_problems(&list), 30);
	CHECK_TEXT(list[OPTION_PROBLEMS_MAX - 1].word, "none15=1");

	memset(line, 'a', sizeof(line) - 1);
	memcpy(line, "unit_colour=red ", 16);
	options_parse(line);
	CHECK_TEXT(colour, "red");
	CHECK_NUMBER(problem(0, 1)->what, OPTION_TOO_LONG);
	CHECK_NUMBER(strlen(list[0].word), sizeof(list[0].word) - 1);
	CHECK_TEXT(options_text(), "unit_colour=red");
}

static bool number_is(const char *text, unsigned long long want)
{
	unsigned long long value = ~want;

	return option_number(text, &value) && value == want;
}

TEST(numbers_of_options)
{
	unsigned long long value = 77;
	static const char *const bad[] = { "",
					   "-1",
					   "x",
					   "0x",
					   "1.5",
					   "1kk",
					   "12 ",
					   "k",
					   "1T",
					   "0xg",
					   " 1",
					   "18446744073709551616",
					   "0x10000000000000000",
					   "17179869184G" };

	CHECK(number_is("0", 0));
	CHECK(number_is("42", 42));
	CHECK(number_is("0x2a", 42));
	CHECK(number_is("0XfF", 255));
	CHECK(number_is("4k", 4096));
	CHECK(number_is("3M", 3u << 20));
	CHECK(number_is("2G", 2ull << 30));
	CHECK(number_is("18446744073709551615", ~0ull));
	CHECK(number_is("0xffffffffffffffff", ~0ull));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!option_number(bad[i], &value));
	CHECK_NUMBER(value, 77);
}

TEST(on_and_off)
{
	bool value = false;

	CHECK(option_on_off("on", &value) && value);
	CHECK(option_on_off("off", &value) && !value);
	CHECK(!option_on_off("yes", &value));
	CHECK(!option_on_off("", &value));
}
