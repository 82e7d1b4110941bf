/* SPDX-License-Identifier: BSD-2-Clause */
/* VGA text. Text memory is slow to write, and slower to read. */
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
	*surface = (struct surface){ columns, sized ? loader->height : 25, draw };
	crtc_write(CURSOR_START, CURSOR_OFF);
	crtc_write(START_ADDRESS, 0);
	crtc_write(START_ADDRESS + 1, 0);
	for (unsigned i = 0; i < columns * surface->rows; i++)
		cells[i] = CELL_BLANK;
	return true;
}
