/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures that were published, to be set beside the ones measured here. They are
 * shown as they were printed, so fields are text. */
#ifndef SUITE_HISTORY_HISTORY_H
#define SUITE_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

/* A comma-separated table: lines of "# comment", one of column names, then rows whose
 * first field is their key. */
struct history {
	const char *text, *end;
};

/* The file suite/history/NAME.csv; false where there is none. */
bool history_open(const char *name, struct history *h);

struct history_field {
	const char *text; /* not ended by NUL: print it as "%.*s" */
	int length;       /* 0 where the row or column is not there, or was not measured */
};

/* `row` is the key, and may go on with the fields behind it ("locked,normal"). */
struct history_field history_get(const struct history *h, const char *row, const char *column);

/* Where the figures come from: comment line `i`, without its "# "; empty after the last. */
struct history_field history_comment(const struct history *h, unsigned i);

#endif
