/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/differ.h"

#include <stdbool.h>
#include <stdint.h>

/* Of any alignment, and of whatever they lie over. A pair of words is one register where the
 * compiler may use vectors, and two elsewhere. */
typedef uintptr_t word __attribute__((may_alias, aligned(1)));
typedef uintptr_t pair __attribute__((vector_size(2 * sizeof(uintptr_t)), may_alias, aligned(1)));

#define BLOCK (4 * sizeof(pair)) /* bytes that are compared with one branch */

static bool block_differs(const uint8_t *a, const uint8_t *b)
{
	const pair *x = (const pair *)a, *y = (const pair *)b;
	pair differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
	return (differ[0] | differ[1]) != 0;
}

size_t first_difference(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;
	size_t i = 0;

	while (i + BLOCK <= n && !block_differs(x + i, y + i))
		i += BLOCK;
	while (i + sizeof(word) <= n && *(const word *)(x + i) == *(const word *)(y + i))
		i += sizeof(word);
	while (i < n && x[i] == y[i])
		i++;
	return i;
}
