/* SPDX-License-Identifier: BSD-2-Clause */
/* Names for code addresses, from the table that tools/symbols makes of the first link. */
#include "kernel/kernel.h"

extern const uint32_t symbol_count;
extern const uint32_t symbol_addresses[]; /* low 32 bits, ascending: the image is far smaller */
extern const uint32_t symbol_names[];     /* offsets into the text */
extern const char symbol_text[];

const char *machine_symbol(uintptr_t ip, uintptr_t *offset)
{
	uint32_t low = 0, high = symbol_count; /* the last symbol not above ip is in [low, high) */

	if ((!is_code(ip) && !is_user_code(ip)) || !high || (uint32_t)ip < symbol_addresses[0])
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (symbol_addresses[middle] <= (uint32_t)ip)
			low = middle;
		else
			high = middle;
	}
	*offset = (uint32_t)ip - symbol_addresses[low];
	return &symbol_text[symbol_names[low]];
}
