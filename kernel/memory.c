/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's own page tables, and what is mapped on demand. */
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kept.h"
#include "kernel/kernel.h"
#include "kernel/pages.h"
#include "lib/string.h"

/* ------------------------------------------------------------ page tables */

static void must(bool mapped)
{
	if (!mapped)
		panic("no memory for page tables");
}

/* The image is left out: it has its own mapping, and no other that would let its code
 * be written. */
static void map_direct(uint64_t start, uint64_t end)
{
	struct memory_range own = image_range();

	end = smaller(end, DIRECT_BYTES);
	if (start >= end)
		return;
	if (start < own.end && own.start < end) {
		map_direct(start, own.start);
		map_direct(own.end, end);
		return;
	}
	must(page_map((uintptr_t)(DIRECT_BASE + start), start, (size_t)(end - start),
		      PAGE_WRITE | PAGE_GLOBAL | PAGE_LARGE));
}

/* All memory, joined to long runs so that large pages cover it. */
static void map_memory(void)
{
	uint64_t start = 0, end = LOW_MEMORY;

	for (size_t i = 0; i < boot_info.memory_ranges; i++) {
		const struct memory_range *r = &boot_info.memory[i];

		if (r->kind == MEMORY_OTHER)
			continue;
		if (page_down(r->start) > end) {
			map_direct(start, end);
			start = page_down(r->start);
		}
		end = larger(end, page_up(r->end));
	}
	map_direct(start, end);
}

static void map_image(const char *start, const char *end, uint32_t flags)
{
	must(page_map((uintptr_t)start, (uintptr_t)start - KERNEL_BASE, (size_t)(end - start),
		      flags | PAGE_GLOBAL));
}

extern const uint8_t *const __start_stack_guards[], *const __stop_stack_guards[];

void memory_start(void)
{
	physical_start();
	kept_claim();
	pins_reserve();
	must(page_tables_new());
	map_memory();
	map_image(image_start, rodata_start, PAGE_EXECUTE);
	map_image(rodata_start, data_start, 0);
	map_image(data_start, image_end, PAGE_WRITE);
	for (const uint8_t *const *guard = __start_stack_guards; guard < __stop_stack_guards;
	     guard++)
		page_unmap((uintptr_t)*guard, PAGE_SIZE);
	page_tables_use();
	descriptors_tables(read_cr3());
	physical_reach_all();
}

/* ------------------------------------------------------------ windows */

uintptr_t window_take(size_t bytes)
{
	static uintptr_t next = WINDOWS_BASE + AREAS_BYTES + PAGE_SIZE;
	uintptr_t window = next;

	bytes = (size_t)page_up(bytes);
	if (bytes >= WINDOWS_BASE + WINDOWS_BYTES - PAGE_SIZE - next)
		return 0;
	next += bytes + PAGE_SIZE;
	return window;
}

void *memory_take(size_t bytes)
{
	uintptr_t window = window_take(bytes);

	for (size_t at = 0; window && at < bytes; at += PAGE_SIZE) {
		uint64_t page = physical_take();

		if (!page || !page_map(window + at, page, PAGE_SIZE, PAGE_WRITE | PAGE_GLOBAL))
			return NULL;
	}
	return window ? memset((void *)window, 0, bytes) : NULL;
}

void *device_map(uint64_t physical, size_t bytes, uint32_t flags)
{
	size_t into = physical % PAGE_SIZE;
	uintptr_t window = window_take(into + bytes);

	if (!window || !page_map(window, physical - into, (size_t)page_up(into + bytes),
				 PAGE_WRITE | PAGE_GLOBAL | flags))
		return NULL;
	return (void *)(window + into);
}
