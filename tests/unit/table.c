/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/table.h"

#include "suite/record.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <string.h>

TEST(columns_are_as_wide_as_they_must_be)
{
	struct table t;

	record_start();
	machine_forget();
	table_start(&t, "dst", 5);
	CHECK(table_column(&t, "rep_movsb", 7));
	CHECK(table_column(&t, "k7", 7));
	table_row(&t, "0");
	table_field(&t, "%u", 12u);
	table_field(&t, "n/a");
	table_row(&t, "1");
	table_field(&t, "%s", "4");
	table_field(&t, "%s", "");
	table_end(&t);
	CHECK(machine_wrote("#   dst rep_movsb      k7"));
	CHECK(machine_wrote("#     0        12     n/a"));
	CHECK(machine_wrote("#     1         4"));
	record_end();
	machine_forget();
}

TEST(a_table_is_no_wider_than_a_terminal)
{
	unsigned columns = 0;
	struct table t;

	record_start();
	machine_forget();
	table_start(&t, "bytes", 18);
	while (table_column(&t, "memmove_sse2_saved", 7))
		columns++;
	CHECK_NUMBER(columns, 7);
	table_row(&t, "64");
	for (unsigned i = 0; i < 2 * columns; i++)
		table_field(&t, "%s", "wider-than-its-column");
	table_end(&t);
	CHECK_NUMBER(machine_line_count, 2);
	CHECK(strlen(machine_lines[0]) <= TABLE_WIDTH);
	CHECK_NUMBER(strlen(machine_lines[1]), TABLE_WIDTH);
	record_end();
	machine_forget();
}
