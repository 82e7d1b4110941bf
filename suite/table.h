/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people: a head and rows, whose lines in the record are at most TABLE_WIDTH bytes. */
#ifndef SUITE_TABLE_H
#define SUITE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TABLE_WIDTH   160
#define TABLE_COLUMNS 40

struct table {
	char line[TABLE_WIDTH - 1]; /* less "# ", with a NUL */
	int length;
	unsigned head;        /* width of the rows' names */
	unsigned columns, at; /* at: the one whose field is next */
	uint8_t width[TABLE_COLUMNS];
};

/* Begins with the head of the rows' names, which are at most `width` wide. */
void table_start(struct table *t, const char *head, unsigned width);

/* One more column, of fields at most `width` wide: as wide as these or its head. False: the
 * line has no room for it. */
bool table_column(struct table *t, const char *head, unsigned width);

/* Ends the line and begins the next row; its fields come in the columns' order. */
void table_row(struct table *t, const char *name);
void table_field(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Ends the last line. */
void table_end(struct table *t);

#endif
