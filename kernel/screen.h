/* SPDX-License-Identifier: BSD-2-Clause */
/* What a screen shows: rows of the record, going round, and a last row that says how
 * the run stands. */
#ifndef KERNEL_SCREEN_H
#define KERNEL_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* VGA text where the loader left it on; the frame buffer, which has to be mapped. Both
 * as the option screen= says. */
void screen_early(void);
void screen_start(void);
void screen_write_line(const char *text, size_t length);

/* ------------------------------------------------------------ what draws */

enum ink { INK_PLAIN, INK_ALERT, INK_STATUS, INKS };

/* Characters in a grid, each of FONT_WIDTH * scale by FONT_HEIGHT * scale pixels. draw()
 * shows n printable ones, from one place on in one row. */
struct surface {
	unsigned columns, rows, scale;
	void (*draw)(unsigned row, unsigned column, const char *text, size_t n, enum ink ink);
	/* A rectangle of pixels, in the plain ink's colour or its paper's; NULL where there
	 * are only characters. */
	void (*fill)(unsigned x, unsigned y, unsigned width, unsigned height, bool inked);
};

/* The glyphs of ' ' to '~': a byte a row. */
#define FONT_WIDTH  8u
#define FONT_HEIGHT 16u
extern const uint8_t font['~' - ' ' + 1][FONT_HEIGHT];

/* Each false where there is no such screen. */
bool vga_start(struct surface *surface);
bool pixels_start(struct surface *surface);
/* From VGA text to VGA's 640 x 480 pixels. */
void vga_graphics(struct surface *surface);

/* A surface that has fill(); NULL: there is no screen. screen_redraw() shows on it what
 * the rows showed, in the order in which they came; the last row is the caller's. */
const struct surface *screen_graphics(void);
void screen_redraw(void);

#endif
