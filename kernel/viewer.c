/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/viewer.h"

#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/screen.h"
#include "lib/crc32.h"
#include "lib/deflate.h"
#include "lib/format.h"
#include "lib/qr.h"
#include "lib/string.h"
#include "suite/suite.h"

static const struct surface *screen;

static struct {
	const char *text; /* the compact record: lines for people */
	size_t length;
	const char *place[64]; /* where each page of them starts */
	unsigned pages;
} summary;

/* ------------------------------------------------------------ the keyboard */

#define KEYBOARD_DATA   0x60
#define KEYBOARD_STATUS 0x64
#define STATUS_FULL     0x01
#define STATUS_MOUSE    0x20
#define NO_CONTROLLER   0xff

enum key { KEY_NONE, KEY_NEXT, KEY_BACK, KEY_HOME };

/* Scan codes of set 1, which a BIOS has the controller translate to, and of set 2, which
 * other firmware may leave; those of the navigation keys stand for the keypad's too. */
static enum key key_of(uint8_t code)
{
	switch (code) {
	case 0x39: /* space, page down; set 2: the same */
	case 0x51:
	case 0x29:
	case 0x7a:
		return KEY_NEXT;
	case 0x0e: /* backspace, page up; set 2: the same */
	case 0x49:
	case 0x66:
	case 0x7d:
		return KEY_BACK;
	case 0x47: /* home; set 2 */
	case 0x6c:
		return KEY_HOME;
	default:
		return KEY_NONE;
	}
}

static enum key keyboard_read(void)
{
	static bool released; /* the code after F0h, in set 2 */
	uint8_t status = inb(KEYBOARD_STATUS), code;
	enum key key;

	if (status == NO_CONTROLLER || !(status & STATUS_FULL))
		return KEY_NONE;
	code = inb(KEYBOARD_DATA);
	if (status & STATUS_MOUSE)
		return KEY_NONE;
	key = released ? KEY_NONE : key_of(code);
	released = code == 0xf0;
	return key;
}

/* ------------------------------------------------------------ pages of text */

/* Draws the rows from `at` on, long lines cut into several; returns where the next page
 * starts. Without a surface it only finds that out. */
static const char *text_page(const char *at, const struct surface *to)
{
	const char *end = summary.text + summary.length;

	for (unsigned row = 0; row < screen->rows - 1 && at < end; row++) {
		size_t n = 0;

		while (at + n < end && at[n] != '\n' && n < screen->columns)
			n++;
		if (to)
			to->draw(row, 0, at, n, INK_PLAIN);
		at += n;
		at += at < end && *at == '\n';
	}
	return at;
}

static void summary_start(void)
{
	const char *at;

	summary.text = suite_compact(&summary.length);
	at = summary.text;
	while (at < summary.text + summary.length && summary.pages < 64) {
		summary.place[summary.pages++] = at;
		at = text_page(at, NULL);
	}
}

/* ------------------------------------------------------------ pages of QR codes */

/* A code holds its head ("METALCOPY:C1:1/9:12345678:": whose part it is) and then
 * base32, which needs no character that a QR code does not pack well. */
#define HEAD_MAX    32u
#define PART_BYTES  ((QR_TEXT_MAX - HEAD_MAX) / 8 * 5)
#define BOX         (QR_SIZE + 2 * QR_QUIET)
#define SCALE_LEAST 3u /* pixels a module, for a camera's sake */

static struct {
	uint8_t packed[32768];
	size_t bytes;
	unsigned parts;
	unsigned scale, across, down; /* of a page */
	unsigned pages;
} codes;

/* RFC 4648, 6, without the padding. */
static size_t base32(char *to, const uint8_t *from, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	uint32_t bits = 0;
	unsigned count = 0;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		bits = bits << 8 | from[i];
		for (count += 8; count >= 5; count -= 5)
			to[used++] = digits[bits >> (count - 5) & 31];
	}
	if (count)
		to[used++] = digits[bits << (5 - count) & 31];
	return used;
}

static void code_draw(unsigned part, unsigned x, unsigned y)
{
	static bool dark[QR_SIZE][QR_SIZE];
	static char text[QR_TEXT_MAX + 1];
	size_t from = part * PART_BYTES;
	size_t n = codes.bytes - from < PART_BYTES ? codes.bytes - from : PART_BYTES;
	int head = format(text, HEAD_MAX + 1, "METALCOPY:C1:%u/%u:%08X:", part + 1, codes.parts,
			  crc32(0, codes.packed, codes.bytes));

	n = base32(text + head, codes.packed + from, n);
	if (!qr_encode(text, (size_t)head + n, dark))
		return;
	screen->fill(x, y, BOX * codes.scale, BOX * codes.scale, true);
	for (unsigned row = 0; row < QR_SIZE; row++)
		for (unsigned column = 0; column < QR_SIZE; column++)
			if (dark[row][column])
				screen->fill(x + (column + QR_QUIET) * codes.scale,
					     y + (row + QR_QUIET) * codes.scale, codes.scale,
					     codes.scale, false);
}

/* Between the first and the last row of text. */
static void codes_layout(void)
{
	unsigned width = screen->columns * FONT_WIDTH * screen->scale;
	unsigned height = (screen->rows - 2) * FONT_HEIGHT * screen->scale;

	for (codes.scale = 8; codes.scale > 1; codes.scale--) {
		codes.across = width / (BOX * codes.scale);
		codes.down = height / (BOX * codes.scale);
		unsigned a_page = codes.across * codes.down;

		if (a_page >= codes.parts || (a_page && codes.scale <= SCALE_LEAST))
			break;
	}
	codes.pages = codes.across && codes.down ? (codes.parts + codes.across * codes.down - 1) /
							   (codes.across * codes.down)
						 : 0;
}

static void codes_start(void)
{
	codes.bytes = deflate(codes.packed, sizeof codes.packed, (const uint8_t *)summary.text,
			      summary.length);
	codes.parts = (unsigned)((codes.bytes + PART_BYTES - 1) / PART_BYTES);
	if (codes.parts)
		codes_layout();
}

static void codes_page(unsigned page)
{
	unsigned first = page * codes.across * codes.down, i = 0;
	unsigned box = BOX * codes.scale, top = FONT_HEIGHT * screen->scale;
	char line[96];
	int n;

	for (; i < codes.across * codes.down && first + i < codes.parts; i++)
		code_draw(first + i, i % codes.across * box, top + i / codes.across * box);
	n = format(line, sizeof line, "codes %u to %u of %u: photograph them, then", first + 1,
		   first + i, codes.parts);
	n += format(line + n, sizeof line - (size_t)n, " tools/metalcopy qr PHOTO...");
	screen->draw(0, 0, line, (size_t)n < screen->columns ? (size_t)n : screen->columns,
		     INK_PLAIN);
}

/* ------------------------------------------------------------ turning the pages */

#define PAGE_SECONDS 10u
#define SLOW_HZ      1000000000u /* where the TSC's frequency is not known */

static void bottom_line(unsigned page, unsigned pages)
{
	char line[96];
	int n = format(line, sizeof line,
		       "page %u of %u; space: next, backspace: back, home: first", page + 1, pages);

	screen->draw(screen->rows - 1, 0, line,
		     (size_t)n < screen->columns ? (size_t)n : screen->columns, INK_STATUS);
}

/* The record's end first, as it was left, then the summary's first page and the codes;
 * the rest of the summary is for who has a keyboard. */
static void page_show(unsigned page, unsigned pages)
{
	unsigned unit = screen->scale;

	screen->fill(0, 0, screen->columns * FONT_WIDTH * unit, screen->rows * FONT_HEIGHT * unit,
		     false);
	if (page == 0)
		return screen_redraw();
	if (page == 1)
		text_page(summary.place[0], screen);
	else if (page < 2 + codes.pages)
		codes_page(page - 2);
	else
		text_page(summary.place[page - 1 - codes.pages], screen);
	bottom_line(page, pages);
}

static enum key key_in_time(void)
{
	uint64_t hz = machine_clock()->tsc_hz, start = rdtsc();
	enum key key = KEY_NONE;

	while (!key && rdtsc() - start < PAGE_SECONDS * (hz ? hz : SLOW_HZ)) {
		__asm__ volatile("pause");
		key = keyboard_read();
	}
	return key;
}

void viewer_run(void)
{
	unsigned page = 0, pages;
	bool by_hand = false;
	enum key key;

	screen = screen_graphics();
	if (!screen)
		return;
	summary_start();
	codes_start();
	if (!summary.pages)
		return;
	pages = 1 + codes.pages + summary.pages;
	for (;;) {
		page_show(page, pages);
		do {
			key = key_in_time();
			by_hand = by_hand || key;
		} while (by_hand && !key);
		if (key == KEY_HOME)
			page = 0;
		else if (key == KEY_BACK)
			page = page ? page - 1 : pages - 1;
		else
			page = (page + 1) % (by_hand ? pages : 2 + codes.pages);
	}
}
