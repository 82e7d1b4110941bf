/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/differ.h"

#include <stdbool.h>
#include <stdint.h>

/* Of any alignment, and of whatever it lies over. */
typedef uintptr_t word __attribute__((may_alias, aligned(1)));

#define BLOCK 4u /* words that are compared with one branch */

static bool block_differs(const word *a, const word *b)
{
	return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) != 0;
}

size_t first_difference(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;
	size_t i = 0;

	while (i + BLOCK * sizeof(word) <= n &&
	       !block_differs((const word *)(x + i), (const word *)(y + i)))
		i += BLOCK * sizeof(word);
	while (i + sizeof(word) <= n && *(const word *)(x + i) == *(const word *)(y + i))
		i += sizeof(word);
	while (i < n && x[i] == y[i])
		i++;
	return i;
}
