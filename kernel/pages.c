/* SPDX-License-Identifier: BSD-2-Clause */
/* Which physical pages are free. */
#include "kernel/pages.h"

#include "kernel/kernel.h"
#include "lib/random.h"
#include "lib/string.h"

/* ------------------------------------------------------------ physical pages */

#define WORD_BITS (8 * sizeof(uintptr_t))
#define WORD_SPAN (WORD_BITS * PAGE_SIZE) /* bytes of memory that one word stands for */

static uintptr_t *free_map; /* a bit a page, from physical 0: set where it is free */
static uint32_t map_words;
static uint32_t reach; /* words of it, whose pages are in the direct map by now */
static uint64_t free_pages, usable_bytes;
static struct random choice = { 1 };

static void mark_free(uint64_t page, bool is_free)
{
	uintptr_t *word = &free_map[page / WORD_SPAN];
	uintptr_t bit = (uintptr_t)1 << page / PAGE_SIZE % WORD_BITS;

	if (!(*word & bit) == !is_free)
		return;
	*word ^= bit;
	if (is_free)
		free_pages++;
	else
		free_pages--;
}

/* From a random page on, so that neighbours in virtual memory are none in physical. */
uint64_t physical_take(void)
{
	uint32_t at = random_below(&choice, reach);
	unsigned turn = random_below(&choice, WORD_BITS);

	for (uint32_t i = 0; i < reach; i++, at = at + 1 < reach ? at + 1 : 0) {
		uintptr_t word = free_map[at], turned;

		if (!word)
			continue;
		turned = turn ? word >> turn | word << (WORD_BITS - turn) : word;
		turn = (turn + (unsigned)__builtin_ctzl(turned)) % WORD_BITS;
		mark_free(at * (uint64_t)WORD_SPAN + turn * PAGE_SIZE, false);
		return at * (uint64_t)WORD_SPAN + turn * PAGE_SIZE;
	}
	return 0;
}

static bool all_free(uint32_t first, uint32_t words)
{
	for (uint32_t i = 0; i < words; i++)
		if (free_map[first + i] != UINTPTR_MAX)
			return false;
	return true;
}

uint64_t physical_take_large(size_t bytes)
{
	uint32_t words = (uint32_t)(bytes / WORD_SPAN);

	for (uint32_t first = 0; first + words <= reach; first += words) {
		if (!all_free(first, words))
			continue;
		for (size_t at = 0; at < bytes; at += PAGE_SIZE)
			mark_free(first * (uint64_t)WORD_SPAN + at, false);
		return first * (uint64_t)WORD_SPAN;
	}
	return 0;
}

void physical_give(uint64_t page)
{
	mark_free(page, true);
}

void physical_seed(uint64_t seed)
{
	choice = random_seeded(seed);
}

uint64_t physical_total(void)
{
	return usable_bytes;
}

uint64_t physical_left(void)
{
	return free_pages * PAGE_SIZE;
}

/* ------------------------------------------------------------ the loader's map */

#define BOOT_REACH ((uint64_t)1 << 32) /* what boot/entry.asm maps, if the direct map does */

static void sort_ranges(struct memory_range *range, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct memory_range moving = range[i];
		size_t j = i;

		for (; j && range[j - 1].start > moving.start; j--)
			range[j] = range[j - 1];
		range[j] = moving;
	}
}

/* Where the first thing ends that makes [start, end) no good for us; 0 when it is good. */
static uint64_t taken_until(uint64_t start, uint64_t end)
{
	const struct boot_info *b = &boot_info;

	if (start < image_range().end && image_range().start < end)
		return image_range().end;
	for (size_t i = 0; i < b->module_count; i++)
		if (start < b->modules[i].end && b->modules[i].start < end)
			return b->modules[i].end;
	for (size_t i = 0; i < b->memory_ranges; i++)
		if (b->memory[i].kind != MEMORY_USABLE && start < b->memory[i].end &&
		    b->memory[i].start < end)
			return b->memory[i].end;
	return 0;
}

/* The lowest room for the map of free pages. 0: there is none. */
static uint64_t find_room(uint64_t bytes)
{
	for (size_t i = 0; i < boot_info.memory_ranges; i++) {
		const struct memory_range *r = &boot_info.memory[i];
		uint64_t start = page_up(larger(r->start, LOW_MEMORY)), taken;

		if (r->kind != MEMORY_USABLE)
			continue;
		while (start < r->end && (taken = taken_until(start, start + bytes)))
			start = page_up(taken);
		if (start + bytes <= smaller(r->end, smaller(BOOT_REACH, DIRECT_BYTES)))
			return start;
	}
	return 0;
}

static void mark_range(struct memory_range range, bool is_free)
{
	uint64_t start =
		is_free ? page_up(larger(range.start, LOW_MEMORY)) : page_down(range.start);
	uint64_t end = is_free ? page_down(range.end) : page_up(range.end);

	end = smaller(end, map_words * (uint64_t)WORD_SPAN);
	for (; start < end; start += PAGE_SIZE)
		mark_free(start, is_free);
}

/* The first address above all usable memory that fits into the direct map. */
static uint64_t usable_end(void)
{
	uint64_t end = 0;

	for (size_t i = 0; i < boot_info.memory_ranges; i++)
		if (boot_info.memory[i].kind == MEMORY_USABLE)
			end = larger(end, boot_info.memory[i].end);
	return smaller(end, DIRECT_BYTES);
}

static void place_free_map(struct memory_range *map)
{
	uint64_t bytes;

	map_words = (uint32_t)((usable_end() + WORD_SPAN - 1) / WORD_SPAN);
	bytes = page_up(map_words * sizeof(uintptr_t));
	map->start = find_room(bytes);
	if (!map->start)
		panic("no room in the memory that the loader names");
	map->end = map->start + bytes;
	free_map = direct(map->start);
	memset(free_map, 0, (size_t)bytes);
	reach = (uint32_t)smaller(map_words, BOOT_REACH / WORD_SPAN);
}

/* Where the loader contradicts itself, what is in use wins. */
void physical_start(void)
{
	const struct boot_info *b = &boot_info;
	struct memory_range map;

	sort_ranges(boot_info.memory, b->memory_ranges);
	place_free_map(&map);
	for (size_t i = 0; i < b->memory_ranges; i++)
		if (b->memory[i].kind == MEMORY_USABLE) {
			usable_bytes += b->memory[i].end - b->memory[i].start;
			mark_range(b->memory[i], true);
		}
	for (size_t i = 0; i < b->memory_ranges; i++)
		if (b->memory[i].kind != MEMORY_USABLE)
			mark_range(b->memory[i], false);
	for (size_t i = 0; i < b->module_count; i++)
		mark_range(b->modules[i], false);
	mark_range(image_range(), false);
	mark_range(map, false);
}

bool physical_claim(uint64_t start, uint64_t bytes)
{
	uint64_t end = start + bytes;

	if (end > map_words * (uint64_t)WORD_SPAN)
		return false;
	for (uint64_t page = start; page < end; page += PAGE_SIZE)
		if (!(free_map[page / WORD_SPAN] >> page / PAGE_SIZE % WORD_BITS & 1))
			return false;
	mark_range((struct memory_range){ start, end, MEMORY_USABLE }, false);
	return true;
}

void physical_reach_all(void)
{
	reach = map_words;
}
