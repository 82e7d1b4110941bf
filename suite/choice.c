/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/choice.h"

#include "lib/string.h"

#define FIRST_LIMIT 64u

size_t choice_low(unsigned class)
{
	return class ? (size_t)(FIRST_LIMIT / 2) << class : 0;
}

size_t choice_bytes(unsigned class)
{
	return (size_t)(FIRST_LIMIT / 2 + FIRST_LIMIT / 4) << class;
}

bool choice_is_select(const struct form *form)
{
	return strncmp(form->routine->name, "select", 6) == 0;
}

bool choice_eligible(const struct form *form)
{
	return !choice_is_select(form) && !form->routine->lacks[0] && form->minimum == 0 &&
	       form->alignment == 1 && form->claims == GRADE_LITERAL && !form->routine->files;
}

static void fill_column(choice_table table, unsigned column)
{
	uintptr_t last = 0;
	for (unsigned class = COPY_SIZE_CLASSES; class -- > 0;)
		last = table[class][column] ? table[class][column] : last;
	for (unsigned class = 0; class < COPY_SIZE_CLASSES; class ++) {
		last = table[class][column] ? table[class][column] : last;
		table[class][column] = last;
	}
}

void choice_fill(choice_table table)
{
	fill_column(table, 0);
	fill_column(table, 1);
}
