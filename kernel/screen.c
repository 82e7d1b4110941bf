/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VGA text. The 32 KiB of text memory hold more rows than are shown; a new line
 * moves the start address, and only when the memory is used up are the visible
 * rows copied back to its beginning: text memory is slow to write, and slower to
 * read.
 */
#include "kernel/screen.h"

#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "lib/option.h"
#include "lib/string.h"

#define VGA_TEXT   0xb8000u
#define VGA_BYTES  0x8000u
#define CELL_BLANK 0x0720u /* light grey on black */

#define CRTC_INDEX    0x3d4
#define CRTC_DATA     0x3d5
#define CURSOR_START  0x0a
#define CURSOR_OFF    0x20
#define START_ADDRESS 0x0c /* high byte; the low one follows */

static bool wanted = true;

static bool set_screen(const char *value)
{
	return option_on_off(value, &wanted);
}
OPTION(screen, "on|off", "show the record on the screen too", set_screen);

static struct {
	volatile uint16_t *cells; /* NULL: no screen */
	unsigned columns, rows;
	unsigned row; /* where the next line goes */
	unsigned top; /* the first row shown */
} screen;

static void crtc_write(uint8_t index, uint8_t value)
{
	outb(CRTC_INDEX, index);
	outb(CRTC_DATA, value);
}

static void row_clear(unsigned row)
{
	for (unsigned i = 0; i < screen.columns; i++)
		screen.cells[row * screen.columns + i] = CELL_BLANK;
}

static void show_from(unsigned row)
{
	unsigned start = row * screen.columns;
	screen.top = row;
	crtc_write(START_ADDRESS, (uint8_t)(start >> 8));
	crtc_write(START_ADDRESS + 1, (uint8_t)start);
}

/* Where no adapter decodes these addresses, nothing holds what is written. */
static bool memory_is_there(volatile uint16_t *cells)
{
	uint16_t kept = cells[0];
	cells[0] = 0x5aa5;
	bool there = cells[0] == 0x5aa5;
	cells[0] = kept;
	return there;
}

void screen_early(void)
{
	const struct framebuffer *loader = &boot_info.framebuffer;
	volatile uint16_t *cells = direct(VGA_TEXT);
	bool other_mode = loader->address ? !loader->text : boot_info.efi;
	if (!wanted || other_mode || !memory_is_there(cells))
		return;
	screen.cells = cells;
	screen.columns = loader->text && loader->width ? loader->width : 80;
	screen.rows = loader->text && loader->height ? loader->height : 25;
	crtc_write(CURSOR_START, CURSOR_OFF);
	for (unsigned row = 0; row < screen.rows; row++)
		row_clear(row);
	show_from(0);
}

static void row_next(void)
{
	if (screen.row < screen.top + screen.rows)
		return;
	if ((screen.row + 1) * screen.columns * sizeof(uint16_t) <= VGA_BYTES) {
		row_clear(screen.row);
		show_from(screen.row + 1 - screen.rows);
		return;
	}
	unsigned kept = screen.rows - 1;
	for (unsigned i = 0; i < kept * screen.columns; i++)
		screen.cells[i] = screen.cells[(screen.row - kept) * screen.columns + i];
	screen.row = kept;
	row_clear(screen.row);
	show_from(0);
}

void screen_write_line(const char *text, size_t length)
{
	size_t done = 0;
	if (!screen.cells)
		return;
	do {
		row_next();
		for (unsigned i = 0; i < screen.columns && done < length; i++)
			screen.cells[screen.row * screen.columns + i] =
				(CELL_BLANK & 0xff00) | (uint8_t)text[done++];
		screen.row++;
	} while (done < length);
}
