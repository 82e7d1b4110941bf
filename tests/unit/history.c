/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/history/history.h"

#include "tests/unit/test.h"

#include <string.h>

static const char table[] = "# A machine. Source: a list.\n"
			    "# a second remark\n"
			    "offset,one,two\n"
			    "0,1.5,2\n"
			    "16,,4\n"
			    "1,5,";

static const struct history history = { table, table + sizeof(table) - 1 };

static void check_field(struct history_field f, const char *want)
{
	char text[64];
	memcpy(text, f.text, (size_t)f.length);
	text[f.length] = '\0';
	CHECK_TEXT(text, want);
}

TEST(history_finds_a_field_by_row_and_column)
{
	check_field(history_get(&history, "0", "one"), "1.5");
	check_field(history_get(&history, "16", "two"), "4");
	check_field(history_get(&history, "1", "offset"), "1");
}

TEST(history_has_gaps)
{
	check_field(history_get(&history, "16", "one"), "");
	check_field(history_get(&history, "1", "two"), "");
	check_field(history_get(&history, "2", "one"), "");
	check_field(history_get(&history, "0", "three"), "");
	check_field(history_get(&history, "0", "on"), "");
}

TEST(history_tells_where_it_comes_from)
{
	check_field(history_comment(&history, 0), "A machine. Source: a list.");
	check_field(history_comment(&history, 1), "a second remark");
	check_field(history_comment(&history, 2), "");
}

TEST(the_published_figures_are_all_there)
{
	static const char *const files[] = {
		"2002-k7-file-read",     "2002-k7-file-readwrite",
		"2002-k7-socket",        "2002-p3-read-alignment",
		"2002-p4-dst-alignment", "2002-p4-src-alignment",
		"2006-nocache",          "2008-gup",
	};
	struct history h;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		CHECK(history_open(files[i], &h));
		CHECK(strstr(history_comment(&h, 0).text, "Source: ") != NULL);
	}
	CHECK(!history_open("2002", &h));
	CHECK(history_open("2002-p4-dst-alignment", &h));
	check_field(history_get(&h, "32", "int_always"), "845178");
	check_field(history_get(&h, "1", "int_always"), "");
}
