/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page tables of all three formats by one walk (struct paging_format, arch.h). Levels
 * count from 0, the entry of a 4 KiB page (SDM volume 3, chapter 4).
 */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "lib/line.h"
#include "lib/string.h"

#define ENTRY_PRESENT ((uint64_t)1 << 0)
#define ENTRY_WRITE   ((uint64_t)1 << 1)
#define ENTRY_USER    ((uint64_t)1 << 2)
#define ENTRY_PWT     ((uint64_t)1 << 3)
#define ENTRY_PCD     ((uint64_t)1 << 4)
#define ENTRY_LARGE   ((uint64_t)1 << 7)
#define ENTRY_PAT     ((uint64_t)1 << 7) /* at level 0 */
#define ENTRY_GLOBAL  ((uint64_t)1 << 8)
#define ENTRY_NX      ((uint64_t)1 << 63)
#define ENTRY_ADDRESS 0x000ffffffffff000u

static struct paging_format format;
static uint64_t root; /* physical address of the top table */

/*
 * Another CPU may walk these tables meanwhile. An entry of 8 bytes is two words to i386
 * code: written so that the half with the present bit is never there without the other,
 * and read again until both belong together. (From one present value to another only by
 * way of 0: see page_map().)
 */
static uint64_t entry_get(const void *entry)
{
	const volatile uint32_t *word = entry;
	uint32_t low, high;

	if (format.entry_bytes == 4)
		return *word;
	if (sizeof(uintptr_t) == 8)
		return *(const volatile uint64_t *)entry;
	do {
		low = word[0];
		high = word[1];
	} while (low != word[0]);
	return (uint64_t)high << 32 | low;
}

static void entry_set(void *entry, uint64_t value)
{
	volatile uint32_t *word = entry;
	bool wide = format.entry_bytes == 8;

	if (wide && sizeof(uintptr_t) == 8) {
		*(volatile uint64_t *)entry = value;
		return;
	}
	if (wide && value & ENTRY_PRESENT)
		word[1] = (uint32_t)(value >> 32);
	word[0] = (uint32_t)value;
	if (wide && !(value & ENTRY_PRESENT))
		word[1] = (uint32_t)(value >> 32);
}

static unsigned shift_at(unsigned level)
{
	return PAGE_SHIFT + level * format.index_bits;
}

static uint64_t bytes_at(unsigned level)
{
	return (uint64_t)1 << shift_at(level);
}

static void *entry_in(uint64_t table, uintptr_t address, unsigned level)
{
	size_t index = address >> shift_at(level) & ((1u << format.index_bits) - 1);

	return (char *)direct(table & ENTRY_ADDRESS) + index * format.entry_bytes;
}

static bool is_pae_top(unsigned level)
{
	return format.levels == 3 && level == 2;
}

/* A page's rights are its last entry's; those above allow everything. The four
 * entries at the top of PAE have no rights: these bits must be 0 there. */
static uint64_t table_new(unsigned level)
{
	uint64_t page = physical_take();

	if (!page)
		return 0;
	memset(direct(page), 0, PAGE_SIZE);
	return page | ENTRY_PRESENT | (is_pae_top(level) ? 0 : ENTRY_WRITE | ENTRY_USER);
}

/* The entry for `address` at `level`, with the tables on the way to it. NULL: no memory
 * for one, or a large page is in the way. */
static void *entry_make(uintptr_t address, unsigned level)
{
	uint64_t table = root;

	for (unsigned at = format.levels - 1u; at > level; at--) {
		void *entry = entry_in(table, address, at);
		uint64_t value = entry_get(entry);

		if (value & ENTRY_LARGE)
			return NULL;
		if (!(value & ENTRY_PRESENT)) {
			value = table_new(at);
			if (!value)
				return NULL;
			entry_set(entry, value);
			/* The processor reads PAE's top entries when CR3 is written, and only
			 * then (SDM volume 3, 4.4.1). */
			if (is_pae_top(at) && (read_cr3() & ~(uintptr_t)31) == root)
				write_cr3(read_cr3());
		}
		table = value;
	}
	return entry_in(table, address, level);
}

/* The entry that maps `address`, its value and its level; NULL where nothing does. Each
 * entry on the way is read once: the next time it may be another. */
static void *entry_find(uintptr_t address, uint64_t *leaf_value, unsigned *level)
{
	uint64_t table = root;

	for (unsigned at = format.levels - 1u;; at--) {
		void *entry = entry_in(table, address, at);
		uint64_t value = entry_get(entry);

		if (!(value & ENTRY_PRESENT))
			return NULL;
		if (at == 0 || value & ENTRY_LARGE) {
			*leaf_value = value;
			*level = at;
			return entry;
		}
		table = value;
	}
}

static uint64_t leaf(uint64_t physical, uint32_t flags, unsigned level)
{
	uint64_t entry = physical | ENTRY_PRESENT;

	if (level > 0)
		entry |= ENTRY_LARGE;
	if (flags & PAGE_WRITE)
		entry |= ENTRY_WRITE;
	if (flags & PAGE_USER)
		entry |= ENTRY_USER;
	if (flags & PAGE_GLOBAL && cpu.pge)
		entry |= ENTRY_GLOBAL;
	if (!(flags & PAGE_EXECUTE) && cpu.nx)
		entry |= ENTRY_NX;
	if (flags & PAGE_WRITE_COMBINING && cpu.pat)
		entry |= ENTRY_PWT; /* cpu_start() makes PAT entry 1 write-combining */
	else if (flags & (PAGE_UNCACHED | PAGE_WRITE_COMBINING))
		entry |= ENTRY_PWT | ENTRY_PCD;
	else if (flags & PAGE_WRITE_THROUGH)
		entry |= ENTRY_PWT | (cpu.pat ? ENTRY_PAT : 0); /* entry 5; without PAT, PWT */
	return entry;
}

static unsigned level_for(uintptr_t address, uint64_t physical, size_t bytes, uint32_t flags)
{
	unsigned level = 0;

	if (!(flags & PAGE_LARGE))
		return 0;
	while (level < (cpu.pages_1g ? 2 : 1) &&
	       ((address | physical) & (bytes_at(level + 1) - 1)) == 0 &&
	       bytes >= bytes_at(level + 1))
		level++;
	return level;
}

bool page_map(uintptr_t address, uint64_t physical, size_t bytes, uint32_t flags)
{
	if (format.entry_bytes == 4 && (physical + bytes - 1) >> 32)
		return false;
	while (bytes) {
		unsigned level = level_for(address, physical, bytes, flags);
		size_t step = (size_t)bytes_at(level);
		void *entry = entry_make(address, level);

		if (!entry)
			return false;
		/* a translation that was not there is in no TLB (SDM volume 3, 4.10.4.3) */
		bool was_present = entry_get(entry) & ENTRY_PRESENT;
		entry_set(entry, leaf(physical, flags, level));
		if (was_present)
			invlpg(address);
		address += step;
		physical += step;
		bytes -= step;
	}
	return true;
}

size_t page_large_bytes(unsigned i)
{
	return i < (cpu.pages_1g ? 2u : 1u) ? (size_t)bytes_at(i + 1) : 0;
}

void page_unmap(uintptr_t address, size_t bytes)
{
	uint64_t value;
	unsigned level;

	for (; bytes; address += PAGE_SIZE, bytes -= PAGE_SIZE) {
		void *entry = entry_find(address, &value, &level);

		if (entry && level == 0) {
			entry_set(entry, 0);
			invlpg(address);
		}
	}
}

void page_tables_flush(uintptr_t address)
{
	uint64_t table = root;

	for (unsigned at = format.levels - 1u;; at--) {
		void *entry = entry_in(table, address, at);
		uint64_t value = entry_get(entry);

		line_flush(entry);
		if (at == 0 || !(value & ENTRY_PRESENT) || value & ENTRY_LARGE)
			return;
		table = value;
	}
}

uint64_t page_cut(uintptr_t address)
{
	uint64_t table = root, value;

	for (unsigned at = format.levels - 1u;; at--) {
		void *entry = entry_in(table, address, at);

		value = entry_get(entry);
		if (!(value & ENTRY_PRESENT))
			return 0;
		if (at == 1) {
			entry_set(entry, 0);
			return value & ENTRY_LARGE ? 0 : value & ENTRY_ADDRESS;
		}
		table = value;
	}
}

bool page_find(uintptr_t address, uint64_t *physical, uint32_t *flags)
{
	unsigned level;
	uint64_t value;

	if (!entry_find(address, &value, &level))
		return false;
	if (physical)
		*physical = (value & ENTRY_ADDRESS & ~(bytes_at(level) - 1)) +
			    (address & (bytes_at(level) - 1));
	if (flags)
		*flags = (value & ENTRY_WRITE ? PAGE_WRITE : 0) |
			 (value & ENTRY_USER ? PAGE_USER : 0) |
			 (value & ENTRY_NX ? 0 : PAGE_EXECUTE);
	return true;
}

void page_tables_start(void)
{
	format = paging_format();
	root = read_cr3() & ENTRY_ADDRESS;
}

bool page_tables_new(void)
{
	uint64_t page = physical_take();

	if (page) {
		memset(direct(page), 0, PAGE_SIZE);
		root = page;
	}
	return page != 0;
}

/* How many entries of the top table belong to the user's half, the same in all formats. */
static size_t user_entries(void)
{
	return (size_t)(USER_LIMIT / bytes_at(format.levels - 1u)) + 1;
}

uint64_t page_tables_second(void)
{
	uint64_t page = physical_take();

	if (page)
		memset(direct(page), 0, PAGE_SIZE);
	return page;
}

void page_tables_share_user(uint64_t second)
{
	memcpy(direct(second), direct(root), user_entries() * format.entry_bytes);
}

bool page_tables_share(uint64_t second, uintptr_t address, size_t bytes)
{
	uint64_t first = root, physical;
	uint32_t flags;
	bool done = true;

	for (size_t at = 0; done && at < bytes; at += PAGE_SIZE) {
		if (!page_find(address + at, &physical, &flags))
			continue;
		root = second;
		done = page_map(address + at, physical, PAGE_SIZE, flags);
		root = first;
	}
	return done;
}

void page_tables_use(void)
{
	write_cr3((uintptr_t)root);
}
