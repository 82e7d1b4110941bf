/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/qr.h"

#include "lib/string.h"

/* Version 20, level L (ISO/IEC 18004, tables 7 and 9): 3 blocks of 107 bytes and 5 of
 * 108, each with 28 for correction. */
#define BLOCKS       8u
#define SHORT_BLOCKS 3u
#define SHORT_DATA   107u
#define CHECK_BYTES  28u
#define DATA_BYTES   (BLOCKS * SHORT_DATA + BLOCKS - SHORT_BLOCKS)
#define ALL_BYTES    (DATA_BYTES + BLOCKS * CHECK_BYTES)

/* Level L with mask 0, and version 20, each with its error correction (annexes C and D). */
#define FORMAT_BITS  0x77c4u
#define VERSION_BITS 0x149a6u

/* ------------------------------------------------------------ text to bytes */

#define MODE_ALPHANUMERIC 2u
#define COUNT_BITS        11u

static uint8_t data[DATA_BYTES];
static unsigned data_bits;

static void put(unsigned value, unsigned bits)
{
	for (; bits && data_bits < 8 * DATA_BYTES; data_bits++)
		data[data_bits / 8] |= (uint8_t)((value >> --bits & 1) << (7 - data_bits % 8));
}

static unsigned value_of(char c)
{
	static const char set[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
	const char *at = c ? strchr(set, c) : NULL;

	return at ? (unsigned)(at - set) : sizeof set;
}

/* Two characters take 11 bits, a single one 6 (7.4.4); what is left over is padding of
 * two bytes in turn (7.4.10). */
static bool text_to_data(const char *text, size_t n)
{
	memset(data, 0, sizeof data);
	data_bits = 0;
	if (n > QR_TEXT_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		if (value_of(text[i]) > 44)
			return false;
	put(MODE_ALPHANUMERIC, 4);
	put((unsigned)n, COUNT_BITS);
	for (size_t i = 0; i + 1 < n; i += 2)
		put(value_of(text[i]) * 45 + value_of(text[i + 1]), 11);
	if (n % 2)
		put(value_of(text[n - 1]), 6);
	put(0, 4);
	data_bits = (data_bits + 7) / 8 * 8;
	for (unsigned pad = 0xec; data_bits < 8 * DATA_BYTES; pad ^= 0xec ^ 0x11)
		put(pad, 8);
	return true;
}

/* ------------------------------------------------------------ error correction */

/* In the field of 256 elements with the polynomial 11Dh. */
static uint8_t multiply(uint8_t a, uint8_t b)
{
	unsigned product = 0;

	for (int bit = 7; bit >= 0; bit--) {
		product = product << 1 ^ (product >> 7) * 0x11d;
		product ^= (b >> bit & 1u) * a;
	}
	return (uint8_t)product;
}

/* The product of (x - 2^i) for each check byte, without its first coefficient, 1. */
static void generator_make(uint8_t generator[CHECK_BYTES])
{
	uint8_t root = 1;

	memset(generator, 0, CHECK_BYTES);
	generator[CHECK_BYTES - 1] = 1;
	for (unsigned i = 0; i < CHECK_BYTES; i++, root = multiply(root, 2))
		for (unsigned j = 0; j < CHECK_BYTES; j++) {
			generator[j] = multiply(generator[j], root);
			if (j + 1 < CHECK_BYTES)
				generator[j] ^= generator[j + 1];
		}
}

static void check_make(const uint8_t *block, unsigned n, const uint8_t generator[CHECK_BYTES],
		       uint8_t check[CHECK_BYTES])
{
	memset(check, 0, CHECK_BYTES);
	for (unsigned i = 0; i < n; i++) {
		uint8_t factor = block[i] ^ check[0];

		memmove(check, check + 1, CHECK_BYTES - 1);
		check[CHECK_BYTES - 1] = 0;
		for (unsigned j = 0; j < CHECK_BYTES; j++)
			check[j] ^= multiply(generator[j], factor);
	}
}

/* Data and check bytes, the blocks interleaved (7.6). */
static void blocks_make(uint8_t all[ALL_BYTES])
{
	uint8_t generator[CHECK_BYTES], check[CHECK_BYTES];
	const uint8_t *block = data;

	generator_make(generator);
	for (unsigned b = 0; b < BLOCKS; b++) {
		unsigned n = SHORT_DATA + (b >= SHORT_BLOCKS);

		check_make(block, n, generator, check);
		for (unsigned i = 0; i < SHORT_DATA; i++)
			all[i * BLOCKS + b] = block[i];
		if (n > SHORT_DATA)
			all[SHORT_DATA * BLOCKS + b - SHORT_BLOCKS] = block[SHORT_DATA];
		for (unsigned i = 0; i < CHECK_BYTES; i++)
			all[DATA_BYTES + i * BLOCKS + b] = check[i];
		block += n;
	}
}

/* ------------------------------------------------------------ modules */

static bool (*module)[QR_SIZE];
static bool taken[QR_SIZE][QR_SIZE]; /* by a pattern: no place for data */

static void set(unsigned row, unsigned column, bool dark)
{
	module[row][column] = dark;
	taken[row][column] = true;
}

static unsigned apart(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

/* Squares in squares, `reach` modules around a centre: dark but for one ring. */
static void rings(unsigned row, unsigned column, unsigned reach, unsigned light)
{
	for (unsigned y = row < reach ? 0 : row - reach; y <= row + reach && y < QR_SIZE; y++)
		for (unsigned x = column < reach ? 0 : column - reach;
		     x <= column + reach && x < QR_SIZE; x++) {
			unsigned dy = apart(y, row), dx = apart(x, column),
				 ring = dy > dx ? dy : dx;

			set(y, x, ring != light && ring != 4);
		}
}

/* 6.3.3 to 6.3.6; annex E has the centres for version 20. */
static void patterns(void)
{
	static const uint8_t centres[] = { 6, 34, 62, 90 };

	for (unsigned i = 0; i < QR_SIZE; i++) {
		set(6, i, i % 2 == 0);
		set(i, 6, i % 2 == 0);
	}
	for (unsigned i = 0; i < sizeof centres; i++)
		for (unsigned j = 0; j < sizeof centres; j++)
			if ((i && j) || (i + j && i + j < sizeof centres - 1)) /* no finder there */
				rings(centres[i], centres[j], 2, 1);
	rings(3, 3, 4, 2);
	rings(3, QR_SIZE - 4, 4, 2);
	rings(QR_SIZE - 4, 3, 4, 2);
}

/* 7.9 and 7.10: each twice, so that one damaged corner does no harm. */
static void format_and_version(void)
{
	for (unsigned i = 0; i < 15; i++) {
		bool bit = FORMAT_BITS >> i & 1;

		set(i < 6 ? i : i < 8 ? i + 1 : QR_SIZE - 15 + i, 8, bit);
		set(8, i < 8 ? QR_SIZE - 1 - i : i < 9 ? 7 : 14 - i, bit);
	}
	set(QR_SIZE - 8, 8, true);
	for (unsigned i = 0; i < 18; i++) {
		bool bit = VERSION_BITS >> i & 1;

		set(i / 3, QR_SIZE - 11 + i % 3, bit);
		set(QR_SIZE - 11 + i % 3, i / 3, bit);
	}
}

/* In pairs of columns from the right, up and down in turn, past the timing column
 * (7.7.3); mask 0 turns over every other module (7.8.2). */
static void place(const uint8_t all[ALL_BYTES])
{
	unsigned bit = 0;
	bool up = true;

	for (int right = QR_SIZE - 1; right > 0; right -= 2, up = !up) {
		right -= right == 6;
		for (unsigned i = 0; i < 2 * QR_SIZE; i++) {
			unsigned row = up ? QR_SIZE - 1 - i / 2 : i / 2;
			unsigned column = (unsigned)right - i % 2;
			bool dark;

			if (taken[row][column])
				continue;
			dark = bit < 8 * ALL_BYTES && all[bit / 8] >> (7 - bit % 8) & 1;
			module[row][column] = dark != ((row + column) % 2 == 0);
			bit++;
		}
	}
}

bool qr_encode(const char *text, size_t n, bool dark[QR_SIZE][QR_SIZE])
{
	static uint8_t all[ALL_BYTES];

	if (!text_to_data(text, n))
		return false;
	module = dark;
	memset(taken, 0, sizeof taken);
	blocks_make(all);
	patterns();
	format_and_version();
	place(all);
	return true;
}
