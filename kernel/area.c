/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Areas (suite/machine.h): scattered pages under two ranges of addresses, `base` for
 * routines and a supervisor's `alias`. The direct map could not be the alias: pages
 * that are neighbours in an area are none there.
 */
#include "kernel/kernel.h"

#define AREAS_MAX  64
#define KERNEL_GAP PAGE_SIZE

struct range {
	uintptr_t start;
	size_t bytes; /* 0: not in use */
};

static struct {
	struct range base, alias;
	struct range demand; /* of base: pages that are mapped when a routine faults on them */
	uint32_t page_flags;
} areas[AREAS_MAX];
static unsigned demanding; /* no area from this one on has a demand; asked at every fault */

/* ------------------------------------------------------------ addresses */

struct space {
	uintptr_t start, end;
	size_t gap;
};

/* Page 0 stays unmapped, and the last page before the kernel's half. */
static const struct space user_space = { USER_AREAS, PIN_BASE - MACHINE_USER_GAP,
					 MACHINE_USER_GAP };
_Static_assert(USER_AREAS == USER_PROGRAM + USER_PROGRAM_BYTES + MACHINE_USER_GAP, "layout.h");
static const struct space kernel_space = { WINDOWS_BASE + KERNEL_GAP, WINDOWS_BASE + AREAS_BYTES,
					   KERNEL_GAP };

static bool near(const struct range *r, uintptr_t start, size_t bytes, size_t gap)
{
	return r->bytes && start < r->start + r->bytes + gap && r->start < start + bytes + gap;
}

/* The first range in use that is in the way. */
static const struct range *in_the_way(uintptr_t start, size_t bytes, size_t gap)
{
	for (unsigned i = 0; i < AREAS_MAX; i++) {
		if (near(&areas[i].base, start, bytes, gap))
			return &areas[i].base;
		if (near(&areas[i].alias, start, bytes, gap))
			return &areas[i].alias;
	}
	return NULL;
}

static bool find_range(const struct space *space, size_t bytes, struct range *out)
{
	uintptr_t start = space->start;
	const struct range *other;

	if (bytes > space->end - space->start)
		return false;
	while ((other = in_the_way(start, bytes, space->gap))) {
		start = other->start + other->bytes + space->gap;
		if (start > space->end - bytes)
			return false;
	}
	*out = (struct range){ start, bytes };
	return true;
}

/* ------------------------------------------------------------ pages */

/* Both addresses of a page have one memory type, `type_flags`. */
static bool map_at_both(unsigned id, size_t at, uint64_t page, uint32_t type_flags)
{
	return page_map(areas[id].alias.start + at, page, PAGE_SIZE, PAGE_WRITE | type_flags) &&
	       page_map(areas[id].base.start + at, page, PAGE_SIZE,
			areas[id].page_flags | type_flags);
}

static bool map_page(unsigned id, size_t at)
{
	uint64_t page = physical_take();

	return page && map_at_both(id, at, page, 0);
}

static void unmap_page(unsigned id, size_t at)
{
	uint64_t page;

	if (!page_find(areas[id].alias.start + at, &page, NULL))
		return;
	page_unmap(areas[id].alias.start + at, PAGE_SIZE);
	page_unmap(areas[id].base.start + at, PAGE_SIZE);
	physical_give(page);
}

static void forget(unsigned id)
{
	for (size_t at = 0; at < areas[id].base.bytes; at += PAGE_SIZE)
		unmap_page(id, at);
	areas[id].base.bytes = areas[id].alias.bytes = areas[id].demand.bytes = 0;
}

static bool can_not(const char **why, const char *reason)
{
	*why = reason;
	return false;
}

/* ------------------------------------------------------------ areas */

uintptr_t machine_user_limit(void)
{
	return USER_LIMIT;
}

static unsigned free_id(void)
{
	unsigned id = 0;

	while (id < AREAS_MAX && areas[id].base.bytes)
		id++;
	return id;
}

static bool take_addresses(unsigned id, enum area_kind kind, size_t bytes)
{
	if (!find_range(kind == AREA_USER ? &user_space : &kernel_space, bytes, &areas[id].base))
		return false;
	if (find_range(&kernel_space, bytes, &areas[id].alias))
		return true;
	areas[id].base.bytes = 0;
	return false;
}

bool machine_area_map(enum area_kind kind, enum area_access access, size_t size, struct area *out,
		      const char **why)
{
	size_t bytes = (size + PAGE_SIZE - 1) & ~(size_t)(PAGE_SIZE - 1);
	unsigned id = free_id();

	if (bytes < size || bytes == 0)
		return can_not(why, "no such size");
	if (bytes > physical_left())
		return can_not(why, "not enough memory");
	if (id == AREAS_MAX)
		return can_not(why, "too many areas");
	if (!take_addresses(id, kind, bytes))
		return can_not(why, "no room in the address space");
	areas[id].page_flags = (kind == AREA_USER ? PAGE_USER : 0) |
			       (access == ACCESS_READ_WRITE ? PAGE_WRITE : 0);
	for (size_t at = 0; at < bytes; at += PAGE_SIZE) {
		if (map_page(id, at))
			continue;
		forget(id);
		return can_not(why, "not enough memory");
	}
	*out = (struct area){ .base = (uint8_t *)areas[id].base.start,
			      .alias = (uint8_t *)areas[id].alias.start,
			      .size = bytes,
			      .kind = kind,
			      .id = id };
	return true;
}

/* Every page is exchanged for another one; page by page, since there may be no second
 * area's worth of memory. */
bool machine_area_renew(struct area *area, const char **why)
{
	for (size_t at = 0; at < area->size; at += PAGE_SIZE) {
		uint64_t old;

		page_find((uintptr_t)area->alias + at, &old, NULL);
		if (!map_page(area->id, at))
			return can_not(why, "not enough memory");
		physical_give(old);
	}
	return true;
}

/* The caches are emptied on both sides of the change: no line of another type may be
 * left (SDM volume 3, 13.12.4). */
bool machine_area_type(struct area *area, enum memory_type type, const char **why)
{
	static const uint32_t flags[MEMORY_TYPES] = { 0, PAGE_WRITE_THROUGH, PAGE_WRITE_COMBINING,
						      PAGE_UNCACHED };

	if (type == MEMORY_WC && !cpu.pat)
		return can_not(why, "write-combining needs PAT");
	machine_flush_caches(why);
	for (size_t at = 0; at < area->size; at += PAGE_SIZE) {
		uint64_t page;

		page_find((uintptr_t)area->alias + at, &page, NULL);
		if (!map_at_both(area->id, at, page, flags[type]))
			return can_not(why, "not enough memory");
	}
	machine_flush_caches(why);
	return true;
}

static uint32_t flags_for(enum area_access access)
{
	return PAGE_USER | (access == ACCESS_READ_ONLY ? 0 : PAGE_WRITE);
}

bool machine_area_protect(struct area *area, size_t offset, size_t size, enum area_access access,
			  const char **why)
{
	uintptr_t base = (uintptr_t)area->base + offset, alias = (uintptr_t)area->alias + offset;

	if (access == ACCESS_ON_DEMAND) {
		areas[area->id].demand = (struct range){ base, size };
		if (demanding <= area->id)
			demanding = area->id + 1;
	}
	for (size_t at = 0; at < size; at += PAGE_SIZE) {
		uint64_t page;

		if (access == ACCESS_ON_DEMAND)
			page_unmap(base + at, PAGE_SIZE);
		else if (!page_find(alias + at, &page, NULL) ||
			 !page_map(base + at, page, PAGE_SIZE, flags_for(access)))
			return can_not(why, "not enough memory");
	}
	return true;
}

bool area_demand(uintptr_t address)
{
	for (unsigned id = 0; id < demanding; id++) {
		uintptr_t at = address - areas[id].base.start;
		uint64_t page;

		if (address - areas[id].demand.start >= areas[id].demand.bytes ||
		    page_find(address, NULL, NULL))
			continue;
		at &= ~(uintptr_t)(PAGE_SIZE - 1);
		return page_find(areas[id].alias.start + at, &page, NULL) &&
		       page_map(areas[id].base.start + at, page, PAGE_SIZE,
				flags_for(ACCESS_READ_WRITE));
	}
	return false;
}

void machine_area_unmap(struct area *area)
{
	forget(area->id);
	*area = (struct area){ 0 };
}

/* ------------------------------------------------------------ single pages */

void machine_seed(uint64_t seed)
{
	physical_seed(seed);
}

uint8_t *machine_page_take(void)
{
	uint64_t page = physical_take();

	return page ? direct(page) : NULL;
}

void machine_page_give(uint8_t *page)
{
	physical_give((uintptr_t)page - DIRECT_BASE);
}

size_t machine_pages_left(void)
{
	return (size_t)(physical_left() / PAGE_SIZE);
}

/* ------------------------------------------------------------ large pages */

#define SIZES_MAX 2

size_t machine_large_page(unsigned i)
{
	return page_large_bytes(i);
}

static uintptr_t map_large(size_t page)
{
	uintptr_t window = window_take(2 * page - PAGE_SIZE);
	uint64_t physical = physical_take_large(page);

	window = (window + page - 1) & -page;
	if (!window || !physical)
		return 0;
	return page_map(window, physical, page, PAGE_WRITE | PAGE_LARGE) ? window : 0;
}

bool machine_area_large(size_t page, unsigned index, struct area *out, const char **why)
{
	static uintptr_t mapped[SIZES_MAX][MACHINE_LARGE_AREAS];
	unsigned size = 0;

	while (size < SIZES_MAX && page_large_bytes(size) != page)
		size++;
	if (size == SIZES_MAX || index >= MACHINE_LARGE_AREAS)
		return can_not(why, "no pages of that size");
	if (!mapped[size][index])
		mapped[size][index] = map_large(page);
	if (!mapped[size][index])
		return can_not(why, "no piece of memory that large");
	*out = (struct area){ .base = (uint8_t *)mapped[size][index],
			      .alias = (uint8_t *)mapped[size][index],
			      .size = page,
			      .kind = AREA_KERNEL };
	return true;
}

/* At the top of the user's half, where other areas never come, a page apart. */
bool machine_area_large_user(size_t page, unsigned index, struct area *out, const char **why)
{
	uintptr_t base = (USER_LIMIT & -(uintptr_t)page) - (2 + 2 * index) * (uintptr_t)page;
	uint64_t physical;

	if (!machine_area_large(page, index, out, why))
		return false;
	if (!page_find((uintptr_t)out->alias, &physical, NULL) ||
	    !page_map(base, physical, page, PAGE_USER | PAGE_WRITE | PAGE_LARGE))
		return can_not(why, "no memory for a page table");
	out->base = (uint8_t *)base;
	out->kind = AREA_USER;
	return true;
}
