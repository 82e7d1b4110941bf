/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading physical memory, and the format of the page tables. */
#include "kernel/arch.h"
#include "kernel/kernel.h"
#include "lib/string.h"

struct paging_format paging_format(void)
{
	return (struct paging_format){ .levels = 4, .index_bits = 9, .entry_bytes = 8 };
}

/* What the direct map lacks (the loader's map need not name the firmware's tables) is
 * mapped a page at a time. */
static const void *view(uint64_t page)
{
	static uintptr_t window;

	if (page_find(DIRECT_BASE + page, NULL, NULL))
		return direct(page);
	if (!window)
		window = window_take(PAGE_SIZE);
	return window && page_map(window, page, PAGE_SIZE, 0) ? (const void *)window : NULL;
}

bool physical_read(void *to, uint64_t address, size_t n)
{
	char *at = to;

	if (address + n < address || address + n > DIRECT_BYTES)
		return false;
	while (n) {
		size_t into = address % PAGE_SIZE, part = PAGE_SIZE - into;
		const char *from = view(address - into);

		if (!from)
			return false;
		part = part < n ? part : n;
		memcpy(at, from + into, part);
		at += part;
		address += part;
		n -= part;
	}
	return true;
}
