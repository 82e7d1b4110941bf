/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "lib/string.h"

/* One large page, behind the other windows, replaced for each read. */
#define PHYSICAL_WINDOW (WINDOWS_BASE + WINDOWS_BYTES)

#define ENTRY_PRESENT (1u << 0)
#define ENTRY_LARGE   (1u << 7)

struct paging_format paging_format(void)
{
	return read_cr4() & CR4_PAE ? (struct paging_format){ 3, 9, 8 }
				    : (struct paging_format){ 2, 10, 4 };
}

static unsigned physical_bits(void)
{
	if (!(read_cr4() & CR4_PAE))
		return 32;
	unsigned bits = machine_cpuid(0x80000008, 0).eax & 0xff;
	return bits ? bits : 36;
}

/* The page directory's entry for the window, in the tables in use, which lie in the
 * direct map. */
static volatile uint32_t *window_entry(void)
{
	uint32_t *root = direct(read_cr3() & ~31u);
	if (!(read_cr4() & CR4_PAE))
		return &root[PHYSICAL_WINDOW >> 22];
	uint32_t *directory = direct(root[2 * (PHYSICAL_WINDOW >> 30)] & ~(PAGE_SIZE - 1u));
	return &directory[2 * (PHYSICAL_WINDOW >> 21 & 511)];
}

static void window_write(volatile uint32_t *entry, uint32_t low, uint32_t high)
{
	entry[0] = 0;
	if (read_cr4() & CR4_PAE)
		entry[1] = high;
	entry[0] = low;
	invlpg(PHYSICAL_WINDOW);
}

/* The direct map has only what the loader calls memory, which firmware tables may not be. */
static bool in_direct_map(uint64_t address)
{
	return address < DIRECT_BYTES && page_find(DIRECT_BASE + (uintptr_t)address, NULL, NULL);
}

/* Within one page that the direct map does not have. */
static void read_through_window(void *to, uint64_t address, size_t n)
{
	bool pae = read_cr4() & CR4_PAE;
	uint32_t within = (uint32_t)address & ((pae ? 1u << 21 : 1u << 22) - 1);
	volatile uint32_t *entry = window_entry();
	uint32_t low = entry[0], high = pae ? entry[1] : 0;
	window_write(entry, ((uint32_t)address - within) | ENTRY_PRESENT | ENTRY_LARGE,
		     (uint32_t)(address >> 32));
	memcpy(to, (const void *)(PHYSICAL_WINDOW + within), n);
	window_write(entry, low, high);
}

bool physical_read(void *to, uint64_t address, size_t n)
{
	while (n) {
		size_t left = PAGE_SIZE - (size_t)(address % PAGE_SIZE);
		size_t part = n < left ? n : left;
		if (address >> physical_bits())
			return false;
		if (in_direct_map(address))
			memcpy(to, direct(address), part);
		else
			read_through_window(to, address, part);
		to = (uint8_t *)to + part;
		address += part;
		n -= part;
	}
	return true;
}
