/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/table.h"

#include "lib/format.h"
#include "lib/string.h"
#include "suite/record.h"

#define FIELD_MAX 32

static void put(struct table *t, const char *text, unsigned width)
{
	size_t room = sizeof(t->line) - (size_t)t->length;
	int length = format(t->line + t->length, room, "%*s", (int)width, text);
	t->length += (size_t)length < room ? length : (int)room - 1;
}

void table_start(struct table *t, const char *head, unsigned width)
{
	*t = (struct table){ .head = width };
	put(t, head, width);
}

bool table_column(struct table *t, const char *head, unsigned width)
{
	unsigned length = (unsigned)strlen(head);
	width = 1 + (length > width ? length : width);
	if (t->columns == TABLE_COLUMNS || (unsigned)t->length + width >= sizeof(t->line))
		return false;
	t->width[t->columns++] = (uint8_t)width;
	put(t, head, width);
	return true;
}

void table_row(struct table *t, const char *name)
{
	table_end(t);
	t->length = 0;
	t->at = 0;
	put(t, name, t->head);
}

void table_field(struct table *t, const char *fmt, ...)
{
	char text[FIELD_MAX];
	va_list args;
	va_start(args, fmt);
	vformat(text, sizeof(text), fmt, args);
	va_end(args);
	if (t->at < t->columns)
		put(t, text, t->width[t->at++]);
}

void table_end(struct table *t)
{
	while (t->length && t->line[t->length - 1] == ' ')
		t->length--;
	record_text("%.*s", t->length, t->line);
}
