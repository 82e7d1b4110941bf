/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text on a frame buffer of any size and any RGB format of whole bytes. It is mapped
 * write-combining and only ever written, each row of pixels from left to right.
 */
#include "kernel/kernel.h"
#include "kernel/screen.h"
#include "lib/string.h"

/* A glyph's pixels grow with the screen: 4K is read from as far away as the rest. */
#define WIDTH_PER_SCALE 1600u
#define SCALE_MAX       4u
#define BYTES_MAX       (40u << 20) /* mapped at most; rows below it stay as they are */

static const struct {
	uint8_t paper[3], ink[3]; /* red, green, blue */
} colors[INKS] = {
	[INK_PLAIN] = { { 0, 0, 0 }, { 208, 208, 208 } },
	[INK_ALERT] = { { 160, 0, 0 }, { 255, 255, 255 } },
	[INK_STATUS] = { { 200, 200, 200 }, { 0, 0, 0 } },
};

static uint8_t *memory;
static uint32_t pitch;
static unsigned scale;

/* Four pixels of each pattern as they are in memory, so that nothing is computed a
 * pixel; they take a whole number of words in every format. */
static uint32_t nibbles[INKS][16][4 * SCALE_MAX];
static unsigned nibble_words;

static uint32_t *put_nibble(uint32_t *to, const uint32_t *nibble)
{
	for (unsigned i = 0; i < nibble_words; i++)
		*(volatile uint32_t *)to++ = nibble[i];
	return to;
}

static void draw(unsigned row, unsigned column, const char *text, size_t n, enum ink ink)
{
	uint8_t *line = memory + row * FONT_HEIGHT * scale * (size_t)pitch +
			(size_t)column * 2 * nibble_words * sizeof(uint32_t);

	for (unsigned y = 0; y < FONT_HEIGHT * scale; y++, line += pitch) {
		uint32_t *to = (uint32_t *)line;

		for (size_t i = 0; i < n; i++) {
			uint8_t bits = font[text[i] - ' '][y / scale];

			to = put_nibble(to, nibbles[ink][bits >> 4]);
			to = put_nibble(to, nibbles[ink][bits & 15]);
		}
	}
}

static uint8_t pixels[2][4]; /* of the plain paper, and the plain ink */
static unsigned pixel_bytes;

static void fill(unsigned x, unsigned y, unsigned width, unsigned height, bool inked)
{
	uint8_t *line = memory + y * (size_t)pitch + x * pixel_bytes;

	for (; height--; line += pitch)
		for (unsigned i = 0; i < width * pixel_bytes; i++)
			((volatile uint8_t *)line)[i] = pixels[inked][i % pixel_bytes];
}

static uint32_t pixel(const struct framebuffer *f, const uint8_t rgb[3])
{
	uint32_t red = rgb[0] * ((1u << f->red.bits) - 1) / 255;
	uint32_t green = rgb[1] * ((1u << f->green.bits) - 1) / 255;
	uint32_t blue = rgb[2] * ((1u << f->blue.bits) - 1) / 255;

	return red << f->red.shift | green << f->green.shift | blue << f->blue.shift;
}

static void nibbles_make(const struct framebuffer *f, unsigned bytes)
{
	for (unsigned ink = 0; ink < INKS; ink++) {
		uint32_t off = pixel(f, colors[ink].paper), on = pixel(f, colors[ink].ink);

		for (unsigned bits = 0; bits < 16; bits++) {
			uint8_t *to = (uint8_t *)nibbles[ink][bits];

			for (unsigned x = 0; x < 4 * scale; x++)
				memcpy(to + x * bytes, bits & 8 >> x / scale ? &on : &off, bytes);
		}
	}
	memcpy(pixels[0], nibbles[INK_PLAIN][0], bytes);
	memcpy(pixels[1], nibbles[INK_PLAIN][15], bytes);
	pixel_bytes = bytes;
	nibble_words = scale * bytes;
}

static bool has_format(const struct framebuffer *f)
{
	const uint8_t bits[] = { f->red.bits, f->green.bits, f->blue.bits };
	const uint8_t shift[] = { f->red.shift, f->green.shift, f->blue.shift };

	for (size_t i = 0; i < sizeof bits; i++)
		if (bits[i] == 0 || bits[i] > 10 || shift[i] + bits[i] > f->bits)
			return false;
	return f->bits >= 15 && f->bits <= 32;
}

bool pixels_start(struct surface *surface)
{
	const struct framebuffer *f = &boot_info.framebuffer;
	unsigned bytes = (f->bits + 7) / 8, height = f->height;

	if (!f->address || f->text || !has_format(f) || f->pitch % 4 || f->pitch / bytes < f->width)
		return false;
	if (height > BYTES_MAX / f->pitch)
		height = BYTES_MAX / f->pitch;
	pitch = f->pitch;
	scale = f->width / WIDTH_PER_SCALE;
	scale = scale < 1 ? 1 : scale > SCALE_MAX ? SCALE_MAX : scale;
	surface->columns = f->width / (FONT_WIDTH * scale);
	surface->rows = height / (FONT_HEIGHT * scale);
	surface->scale = scale;
	surface->draw = draw;
	surface->fill = fill;
	memory = device_map(f->address, (size_t)height * pitch, PAGE_WRITE_COMBINING);
	if (!memory)
		return false;
	nibbles_make(f, bytes);
	memset(memory, 0, (size_t)height * pitch);
	return true;
}
