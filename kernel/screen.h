/* SPDX-License-Identifier: BSD-2-Clause */
/* What a screen shows: rows of the record, going round, and a last row that says how
 * the run stands. */
#ifndef KERNEL_SCREEN_H
#define KERNEL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/* VGA text where the loader left it on; the frame buffer, which has to be mapped. Both
 * as the option screen= says. */
void screen_early(void);
void screen_start(void);
void screen_write_line(const char *text, size_t length);

/* ------------------------------------------------------------ what draws */

enum ink { INK_PLAIN, INK_ALERT, INK_STATUS, INKS };

/* Characters in a grid. draw() shows n printable ones, from one place on in one row. */
struct surface {
	unsigned columns, rows;
	void (*draw)(unsigned row, unsigned column, const char *text, size_t n, enum ink ink);
};

/* Each false where there is no such screen. */
bool vga_start(struct surface *surface);
bool pixels_start(struct surface *surface);

#endif
