/* SPDX-License-Identifier: BSD-2-Clause */
/* What every file and message holds: each four bytes are a function of their position, so
 * that whoever reads them knows what they must be. For the kernel and for its program. */
#ifndef SUITE_WORLD_CONTENT_H
#define SUITE_WORLD_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/* At a position that is a multiple of 4. */
static inline __attribute__((always_inline)) uint32_t content_word(uint32_t position)
{
	uint32_t word = position * 0x9e3779b1u;
	return word ^ word >> 15;
}

/* The four bytes from any position on. */
static inline __attribute__((always_inline)) uint32_t content_at(uint32_t position)
{
	uint32_t shift = position % 4 * 8, low = content_word(position & ~3u);
	return shift ? low >> shift | content_word((position & ~3u) + 4) << (32 - shift) : low;
}

typedef uint32_t __attribute__((aligned(1), may_alias)) unaligned_word;

/* n is a multiple of 4; no alignment is asked for. */
static inline __attribute__((always_inline)) void content_fill(uint8_t *to, size_t n,
							       uint32_t position)
{
	for (size_t at = 0; at < n; at += 4)
		*(unaligned_word *)(to + at) = content_at(position + (uint32_t)at);
}

/* How many of the n / 4 words are wrong. */
static inline __attribute__((always_inline)) size_t content_wrong(const uint8_t *from, size_t n,
								  uint32_t position)
{
	size_t wrong = 0;
	for (size_t at = 0; at < n; at += 4)
		wrong +=
			*(const unaligned_word *)(from + at) != content_at(position + (uint32_t)at);
	return wrong;
}

#endif
