/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing scrolls: a screen is slow memory, and moving all of it for each line would
 * slow the run. Lines go down the screen and then from the top again, over what was
 * there, with one empty row ahead of them. What is shown is kept here too, so that only
 * what changes is drawn.
 */
#include "kernel/screen.h"

#include "kernel/status.h"
#include "lib/option.h"
#include "lib/string.h"

#define ROWS_MAX    128u
#define COLUMNS_MAX 240u

static bool wanted = true;

/* A mode is the boot menu's business: a frame buffer is used as it is found. */
static bool set_screen(const char *value)
{
	static const char *const words[] = { "on", "off", "graphics", "keep" };

	wanted = strcmp(value, "off") != 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(value, words[i]))
			return true;
	return value[0] >= '1' && value[0] <= '9' && strchr(value, 'x');
}
OPTION(screen, "on|off|graphics|keep|WxH[xBITS]",
       "show the record too; a mode is what the boot menu asks for, of a BIOS too", set_screen);

static struct surface surface; /* no rows: no screen */
static unsigned next_row;      /* where the next line goes */
static unsigned shown_rows;    /* how many there were when the run ended */
static struct {
	char text[COLUMNS_MAX];
	enum ink ink;
} shown[ROWS_MAX];

static void surface_use(void)
{
	if (surface.columns > COLUMNS_MAX)
		surface.columns = COLUMNS_MAX;
	if (surface.rows > ROWS_MAX)
		surface.rows = ROWS_MAX;
	for (unsigned row = 0; row < surface.rows; row++)
		memset(shown[row].text, ' ', sizeof shown[row].text);
}

void screen_early(void)
{
	if (wanted && vga_start(&surface))
		surface_use();
}

void screen_start(void)
{
	if (wanted && !surface.rows && pixels_start(&surface))
		surface_use();
}

/* n characters, then blanks to the end of the row. */
static void row_show(unsigned row, const char *text, size_t n, enum ink ink)
{
	char *old = shown[row].text;
	size_t first = surface.columns, last = 0;

	for (size_t i = 0; i < surface.columns; i++) {
		char c = i < n ? text[i] : ' ';

		if (c == old[i] && ink == shown[row].ink)
			continue;
		old[i] = c;
		first = i < first ? i : first;
		last = i;
	}
	shown[row].ink = ink;
	if (first <= last)
		surface.draw(row, (unsigned)first, old + first, last + 1 - first, ink);
}

static bool is_alert(const char *text, size_t length)
{
	static const char todo[] = "# TODO";

	if (length >= 8 && !memcmp(text, "# FAULT:", 8))
		return true;
	if (length < 6 || memcmp(text, "not ok", 6))
		return false;
	for (size_t i = 0; i + sizeof todo - 1 <= length; i++)
		if (!memcmp(text + i, todo, sizeof todo - 1))
			return false;
	return true;
}

void screen_write_line(const char *text, size_t length)
{
	enum ink ink = is_alert(text, length) ? INK_ALERT : INK_PLAIN;
	unsigned rows = surface.rows ? surface.rows - 1 : 0; /* the last one is the status */
	size_t done = 0;

	if (rows < 2)
		return;
	do {
		size_t part = length - done < surface.columns ? length - done : surface.columns;

		row_show(next_row, text + done, part, ink);
		next_row = (next_row + 1) % rows;
		done += part;
	} while (done < length);
	row_show(next_row, "", 0, INK_PLAIN);
	status_line(text, length);
	row_show(rows, status_text(), strlen(status_text()), INK_STATUS);
}

const struct surface *screen_graphics(void)
{
	if (!surface.rows)
		return NULL;
	shown_rows = surface.rows;
	if (!surface.fill)
		vga_graphics(&surface);
	return &surface;
}

void screen_redraw(void)
{
	unsigned lines = shown_rows - 1;

	for (unsigned row = 0; row < lines; row++) {
		unsigned from = (next_row + 1 + row) % lines; /* next_row's is the empty one */

		surface.draw(row, 0, shown[from].text, surface.columns, shown[from].ink);
	}
}
