/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/viewer.h"

#include "kernel/cpu.h"
#include "kernel/kept.h"
#include "kernel/kernel.h"
#include "kernel/screen.h"
#include "kernel/status.h"
#include "lib/crc32.h"
#include "lib/deflate.h"
#include "lib/format.h"
#include "lib/qr.h"
#include "lib/string.h"
#include "suite/suite.h"

static const struct surface *screen;

/* Text of whole lines, and where each page of it starts. */
#define PLACES 8192u
struct pages {
	const char *text, *end;
	const char *place[PLACES];
	unsigned count;
};
static struct pages summary, record;

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
static const char *text_page(const char *at, const char *end, const struct surface *to)
{
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

static void pages_start(struct pages *pages, const char *text, size_t length)
{
	pages->text = text;
	pages->end = text + length;
	for (const char *at = text; at < pages->end && pages->count < PLACES;
	     at = text_page(at, pages->end, NULL))
		pages->place[pages->count++] = at;
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
			      (size_t)(summary.end - summary.text));
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
	char line[256];
	int n = page ? 0 : format(line, sizeof line, "%s | ", status_text());

	n += format(line + n, sizeof line - (size_t)n,
		    "page %u of %u; space: next, backspace: back, home: first", page + 1, pages);
	screen->draw(screen->rows - 1, 0, line,
		     (size_t)n < screen->columns ? (size_t)n : screen->columns, INK_STATUS);
}

/* The record's end first, then the summary's first page and the codes;
 * the rest of the summary and the whole record are for who has a keyboard. */
static void page_show(unsigned page, unsigned pages)
{
	unsigned unit = screen->scale, at = page ? page - 1 : 0;

	screen->fill(0, 0, screen->columns * FONT_WIDTH * unit, screen->rows * FONT_HEIGHT * unit,
		     false);
	if (page == 0) {
		screen_redraw();
	} else if (at >= 1 && at < 1 + codes.pages) {
		codes_page(at - 1);
	} else {
		at -= at ? codes.pages : 0;
		if (at < summary.count)
			text_page(summary.place[at], summary.end, screen);
		else
			text_page(record.place[at - summary.count], record.end, screen);
	}
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

/* Of all that there are, those that come by themselves. */
static unsigned pages_find(unsigned *pages)
{
	const char *text;
	size_t length;

	text = suite_compact(&length);
	pages_start(&summary, text, length);
	text = kept_text(&length);
	pages_start(&record, text, length);
	if (!summary.count)
		return *pages = 0;
	codes_start();
	*pages = 1 + summary.count + codes.pages + record.count;
	return 2 + codes.pages;
}

void viewer_run(void)
{
	unsigned page = 0, pages, alone;
	bool by_hand = false;
	enum key key;

	screen = screen_graphics();
	if (!screen)
		return;
	alone = pages_find(&pages);
	while (pages) {
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
			page = (page + 1) % (by_hand ? pages : alone);
	}
}
