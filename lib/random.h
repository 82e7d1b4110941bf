/* SPDX-License-Identifier: BSD-2-Clause */
/* A small seeded generator (xorshift64*): the same sequence on every machine. */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state;
};

static inline struct random random_seeded(uint64_t seed)
{
	/* splitmix64 finaliser: neighbouring seeds must not give neighbouring sequences, and 0 must
	 * not stick */
	uint64_t z = seed + 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (struct random){ z ? z : 1 };
}

static inline uint32_t random_next(struct random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (uint32_t)((r->state * 0x2545f4914f6cdd1du) >> 32);
}

/* Uniform enough in [0, limit); limit > 0. */
static inline uint32_t random_below(struct random *r, uint32_t limit)
{
	return (uint32_t)(((uint64_t)random_next(r) * limit) >> 32);
}

#endif
