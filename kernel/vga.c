/* SPDX-License-Identifier: BSD-2-Clause */
/* VGA text, and after the run VGA graphics. Both are slow to write, and slower to read. */
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/screen.h"

#define VGA_TEXT   0xb8000u
#define VGA_BYTES  0x8000u
#define CELL_BLANK 0x0720u /* light grey on black */

#define CRTC_INDEX    0x3d4
#define CRTC_DATA     0x3d5
#define CURSOR_START  0x0a
#define CURSOR_OFF    0x20
#define START_ADDRESS 0x0c /* high byte; the low one follows */

static const uint8_t attributes[INKS] = {
	[INK_PLAIN] = 0x07,  /* light grey on black */
	[INK_ALERT] = 0x4f,  /* white on red */
	[INK_STATUS] = 0x70, /* black on light grey */
};

static volatile uint16_t *cells;
static unsigned columns;

static void draw(unsigned row, unsigned column, const char *text, size_t n, enum ink ink)
{
	volatile uint16_t *cell = cells + row * columns + column;

	for (size_t i = 0; i < n; i++)
		cell[i] = (uint16_t)(attributes[ink] << 8 | (uint8_t)text[i]);
}

static void crtc_write(uint8_t index, uint8_t value)
{
	outb(CRTC_INDEX, index);
	outb(CRTC_DATA, value);
}

/* Where no adapter decodes these addresses, nothing holds what is written. */
static bool memory_is_there(void)
{
	uint16_t kept = cells[0];

	cells[0] = 0x5aa5;
	bool there = cells[0] == 0x5aa5;
	cells[0] = kept;
	return there;
}

bool vga_start(struct surface *surface)
{
	const struct framebuffer *loader = &boot_info.framebuffer;
	bool other_mode = loader->address ? !loader->text : boot_info.efi;
	bool sized = loader->text && loader->width && loader->height &&
		     loader->width * loader->height * sizeof *cells <= VGA_BYTES;

	cells = direct(VGA_TEXT);
	if (other_mode || !memory_is_there())
		return false;
	columns = sized ? loader->width : 80;
	*surface = (struct surface){
		.columns = columns, .rows = sized ? loader->height : 25, .scale = 1, .draw = draw
	};
	crtc_write(CURSOR_START, CURSOR_OFF);
	crtc_write(START_ADDRESS, 0);
	crtc_write(START_ADDRESS + 1, 0);
	for (unsigned i = 0; i < columns * surface->rows; i++)
		cells[i] = CELL_BLANK;
	return true;
}

/* ------------------------------------------------------------ graphics */

#define WIDTH    640u
#define HEIGHT   480u
#define PITCH    (WIDTH / 8)
#define GRAPHICS 0xa0000u

#define SEQUENCER_INDEX 0x3c4
#define MISC            0x3c2
#define GRAPHICS_INDEX  0x3ce
#define ATTRIBUTE       0x3c0
#define STATUS          0x3da /* a read makes the next write to ATTRIBUTE an index */
#define ATTRIBUTE_ON    0x20
#define CRTC_END        0x11
#define CRTC_PROTECTED  0x80 /* of CRTC_END: registers 0 to 7 are read-only */

/* IBM's mode 12h: 640 x 480 pixels in four planes, all written at once, so that a bit is
 * black or white. */
static const uint8_t sequencer[] = { 0x03, 0x01, 0x0f, 0x00, 0x06 };
static const uint8_t crtc[] = { 0x5f, 0x4f, 0x50, 0x82, 0x54, 0x80, 0x0b, 0x3e, 0x00,
				0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xea, 0x0c,
				0xdf, 0x28, 0x00, 0xe7, 0x04, 0xe3, 0xff };
static const uint8_t graphics[] = { 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x0f, 0xff };
static const uint8_t attribute[] = { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x14,
				     0x07, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d,
				     0x3e, 0x3f, 0x01, 0x00, 0x0f, 0x00, 0x00 };

static volatile uint8_t *bits;
static uint8_t shadow[HEIGHT][PITCH]; /* what is in `bits`, for what changes part of a byte */

static void put(unsigned y, unsigned byte, uint8_t mask, uint8_t value)
{
	uint8_t *kept = &shadow[y][byte];

	*kept = (uint8_t)((*kept & ~mask) | (value & mask));
	bits[y * PITCH + byte] = *kept;
}

static void graphics_draw(unsigned row, unsigned column, const char *text, size_t n, enum ink ink)
{
	for (unsigned y = 0; y < FONT_HEIGHT; y++)
		for (size_t i = 0; i < n; i++) {
			uint8_t glyph = font[text[i] - ' '][y];

			put(row * FONT_HEIGHT + y, column + (unsigned)i, 0xff,
			    ink == INK_PLAIN ? glyph : (uint8_t)~glyph);
		}
}

static void graphics_fill(unsigned x, unsigned y, unsigned width, unsigned height, bool inked)
{
	for (unsigned end = y + height; y < end; y++)
		for (unsigned byte = x / 8; byte * 8 < x + width; byte++) {
			unsigned first = byte * 8, mask = 0xff;

			if (first < x)
				mask &= 0xffu >> (x - first);
			if (first + 8 > x + width)
				mask &= 0xffu << (first + 8 - x - width);
			put(y, byte, (uint8_t)mask, inked ? 0xff : 0);
		}
}

static void write_all(uint16_t index, const uint8_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		outb(index, (uint8_t)i);
		outb(index + 1, values[i]);
	}
}

void vga_graphics(struct surface *surface)
{
	outb(MISC, 0xe3); /* 480 lines, 25 MHz, addresses 3Dxh */
	write_all(SEQUENCER_INDEX, sequencer, sizeof sequencer);
	outb(CRTC_INDEX, CRTC_END);
	outb(CRTC_DATA, inb(CRTC_DATA) & (uint8_t)~CRTC_PROTECTED);
	write_all(CRTC_INDEX, crtc, sizeof crtc);
	write_all(GRAPHICS_INDEX, graphics, sizeof graphics);
	inb(STATUS);
	for (size_t i = 0; i < sizeof attribute; i++) {
		outb(ATTRIBUTE, (uint8_t)i);
		outb(ATTRIBUTE, attribute[i]);
	}
	outb(ATTRIBUTE, ATTRIBUTE_ON);
	bits = direct(GRAPHICS);
	for (unsigned i = 0; i < HEIGHT * PITCH; i++)
		bits[i] = 0;
	*surface = (struct surface){ .columns = WIDTH / FONT_WIDTH,
				     .rows = HEIGHT / FONT_HEIGHT,
				     .scale = 1,
				     .draw = graphics_draw,
				     .fill = graphics_fill };
}
