/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/deflate.h"

#include <stdbool.h>

#define MATCH_MIN 3u
#define MATCH_MAX 258u
#define TRIES_MAX 64u
#define HASH_BITS 12

/* Where three bytes with a hash stood last, and before each place the one before it
 * with the same hash; plus 1, so that 0 is none. */
static uint16_t last[1 << HASH_BITS], before[DEFLATE_FROM_MAX];

static struct {
	uint8_t *to;
	size_t size, used;
	uint32_t bits;
	unsigned count; /* of bits that wait for a whole byte */
} out;

static void put(uint32_t value, unsigned bits)
{
	out.bits |= value << out.count;
	for (out.count += bits; out.count >= 8; out.count -= 8, out.bits >>= 8) {
		if (out.used < out.size)
			out.to[out.used] = (uint8_t)out.bits;
		out.used++;
	}
}

/* Huffman codes, unlike all other fields, come highest bit first (RFC 1951, 3.1.1). */
static void put_code(uint32_t code, unsigned bits)
{
	while (bits--)
		put(code >> bits & 1, 1);
}

static void put_symbol(unsigned symbol)
{
	if (symbol < 144)
		put_code(0x30 + symbol, 8);
	else if (symbol < 256)
		put_code(0x190 + symbol - 144, 9);
	else if (symbol < 280)
		put_code(symbol - 256, 7);
	else
		put_code(0xc0 + symbol - 280, 8);
}

/* Lengths and distances have one scheme: runs of `per` symbols, each run with one more
 * bit that follows the symbol. Leaves those bits in *extra. */
static unsigned symbol_of(unsigned value, unsigned per, unsigned *extra, unsigned *rest)
{
	unsigned first = 2 * per, bits = 0;

	if (value < first) {
		*extra = 0;
		*rest = 0;
		return value;
	}
	while (value >= first * 2) {
		first *= 2;
		bits++;
	}
	bits++;
	*extra = bits;
	*rest = value & ((1u << bits) - 1);
	return per * (bits + 1) + ((value - first) >> bits);
}

static void put_match(unsigned length, unsigned distance)
{
	unsigned extra, rest, symbol;

	if (length == MATCH_MAX) {
		put_symbol(285);
	} else {
		symbol = symbol_of(length - MATCH_MIN, 4, &extra, &rest);
		put_symbol(257 + symbol);
		put(rest, extra);
	}
	symbol = symbol_of(distance - 1, 2, &extra, &rest);
	put_code(symbol, 5);
	put(rest, extra);
}

static unsigned hash(const uint8_t *at)
{
	uint32_t three = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;

	return three * 0x9e3779b1u >> (32 - HASH_BITS);
}

static void remember(const uint8_t *from, size_t at, size_t n)
{
	if (n - at < MATCH_MIN)
		return;
	before[at] = last[hash(from + at)];
	last[hash(from + at)] = (uint16_t)(at + 1);
}

/* The longest match for what stands at `at`; 0 where there is none. */
static unsigned find(const uint8_t *from, size_t at, size_t n, unsigned *distance)
{
	unsigned best = MATCH_MIN - 1, most = n - at < MATCH_MAX ? (unsigned)(n - at) : MATCH_MAX;
	unsigned tries = TRIES_MAX;

	if (n - at < MATCH_MIN)
		return 0;
	for (unsigned old = last[hash(from + at)]; old && tries; old = before[old - 1], tries--) {
		unsigned length = 0;

		while (length < most && from[old - 1 + length] == from[at + length])
			length++;
		if (length > best) {
			best = length;
			*distance = (unsigned)(at - (old - 1));
		}
	}
	return best < MATCH_MIN ? 0 : best;
}

size_t deflate(uint8_t *to, size_t size, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < sizeof last / sizeof *last; i++)
		last[i] = 0;
	out.to = to;
	out.size = size;
	out.used = out.bits = out.count = 0;
	put(1, 1); /* the last block */
	put(1, 2); /* with the fixed code */
	for (size_t at = 0; at < n;) {
		unsigned distance, length = find(from, at, n, &distance);

		if (length)
			put_match(length, distance);
		else
			put_symbol(from[at]);
		for (unsigned i = 0; i < (length ? length : 1); i++)
			remember(from, at++, n);
	}
	put_symbol(256);
	put(0, 7); /* to a whole byte */
	return out.used <= out.size ? out.used : 0;
}
