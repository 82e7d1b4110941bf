/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/choice.h"

#include "tests/unit/test.h"

#include <string.h>

TEST(choice_classes_follow_each_other)
{
	CHECK_NUMBER(choice_low(0), 0);
	CHECK_NUMBER(choice_low(1), 64);
	CHECK_NUMBER(choice_low(COPY_SIZE_CLASSES - 1), 1 << 20);
	for (unsigned class = 0; class < COPY_SIZE_CLASSES; class ++) {
		CHECK(choice_bytes(class) > choice_low(class));
		if (class + 1 < COPY_SIZE_CLASSES)
			CHECK(choice_bytes(class) < choice_low(class + 1));
	}
}

TEST(choice_of_a_class_without_is_its_neighbours)
{
	choice_table table = { 0 };
	table[3][0] = 30;
	table[9][0] = 90;
	table[0][1] = 1;
	choice_fill(table);
	for (unsigned class = 0; class < COPY_SIZE_CLASSES; class ++) {
		CHECK_NUMBER(table[class][0], class < 9 ? 30 : 90);
		CHECK_NUMBER(table[class][1], 1);
	}
	memset(table, 0, sizeof(table));
	choice_fill(table);
	CHECK_NUMBER(table[5][0], 0);
}

TEST(choice_takes_what_claims_as_much_as_select)
{
	const struct routine sound = { .name = "rep_movsb" }, fpu = { .name = "mmx", .files = 1 };
	const struct routine lacking = { .name = "avx", .lacks = "needs avx" };
	const struct routine own = { .name = "select_csum" };
	const struct form good = { .routine = &sound, .claims = GRADE_LITERAL, .alignment = 1 };
	struct form f = good;
	CHECK(choice_eligible(&f));
	f.claims = GRADE_SAFE;
	CHECK(!choice_eligible(&f));
	f = good;
	f.minimum = 64;
	CHECK(!choice_eligible(&f));
	f = good;
	f.alignment = 16;
	CHECK(!choice_eligible(&f));
	f = good;
	f.routine = &fpu;
	CHECK(!choice_eligible(&f));
	f.routine = &lacking;
	CHECK(!choice_eligible(&f));
	f.routine = &own;
	CHECK(!choice_eligible(&f) && choice_is_select(&f));
}
