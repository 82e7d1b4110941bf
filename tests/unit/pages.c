/* SPDX-License-Identifier: BSD-2-Clause */
/* The allocator of physical pages over memory maps of every kind, in an address space
 * where "physical memory" is a hole that only the map of free pages fills. */
#include "kernel/layout.h"

#undef DIRECT_BASE
#define DIRECT_BASE 0x200000000000
#include "kernel/kernel.h"

/* The image of linker.ld, at 1 MiB. */
#define IMAGE_BYTES 0x100000
char image_start[IMAGE_BYTES];
#undef KERNEL_BASE
#define KERNEL_BASE ((uintptr_t)image_start - KERNEL_LOAD)
#define image_end   (image_start + IMAGE_BYTES)

#include "kernel/pages.c"

#include "tests/unit/test.h"

#include <setjmp.h>
#include <sys/mman.h>

static jmp_buf panicked;

_Noreturn void panic(const char *why)
{
	(void)why;
	longjmp(panicked, 1);
}

static void add(uint64_t start, uint64_t end, enum memory_kind kind)
{
	boot_info.memory[boot_info.memory_ranges++] = (struct memory_range){ start, end, kind };
}

/* Reserves no memory: what is not touched costs nothing. */
static void start_over(void)
{
	static void *ram;

	if (ram)
		munmap(ram, (size_t)1 << 40);
	ram = mmap((void *)DIRECT_BASE, (size_t)1 << 40, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
	CHECK(ram == (void *)DIRECT_BASE);
	boot_info = (struct boot_info){ 0 };
	free_pages = usable_bytes = 0;
}

static bool inside(uint64_t page, const struct memory_range *r)
{
	return r->start <= page && page + PAGE_SIZE <= r->end;
}

static bool touches(uint64_t page, const struct memory_range *r)
{
	return r->start < page + PAGE_SIZE && page < r->end;
}

/* A page that may be handed out: all of it usable, none of it in use. */
static bool is_good(uint64_t page)
{
	struct memory_range own = image_range();
	bool good = false;

	for (size_t i = 0; i < boot_info.memory_ranges; i++) {
		if (boot_info.memory[i].kind != MEMORY_USABLE &&
		    touches(page, &boot_info.memory[i]))
			return false;
		good |= boot_info.memory[i].kind == MEMORY_USABLE &&
			inside(page, &boot_info.memory[i]);
	}
	for (size_t i = 0; i < boot_info.module_count; i++)
		if (touches(page, &boot_info.modules[i]))
			return false;
	return good && page >= LOW_MEMORY && !touches(page, &own);
}

/* Takes all pages; each must be good and never given before. Returns their number. */
static uint64_t take_all(void)
{
	uint64_t left = physical_left(), taken = 0, page;

	while ((page = physical_take())) {
		CHECK(is_good(page) && page % PAGE_SIZE == 0);
		taken++;
	}
	CHECK_NUMBER(taken, left / PAGE_SIZE);
	CHECK_NUMBER(physical_left(), 0);
	return taken;
}

TEST(every_free_page_is_handed_out_once)
{
	start_over();
	add(0, 0x9fc00, MEMORY_USABLE);
	add(0xf0000, 0x100000, MEMORY_OTHER);
	add(0x100000, 0x1000000, MEMORY_USABLE);
	boot_info.modules[boot_info.module_count++] =
		(struct memory_range){ 0x300010, 0x301010, MEMORY_OTHER };
	physical_start();
	CHECK_NUMBER(physical_total(), 0x9fc00 + 0xf00000);
	/* 15 MiB less the image, two pages of module and one for the map */
	CHECK_NUMBER(take_all(), (0xf00000 - IMAGE_BYTES) / PAGE_SIZE - 3);
	physical_give(0x400000);
	CHECK_NUMBER(physical_take(), 0x400000);
	CHECK_NUMBER(physical_take(), 0);
}

TEST(pages_above_4_gib_come_when_they_are_mapped)
{
	uint64_t page;

	start_over();
	add(0x100000, 0x300000, MEMORY_USABLE);
	add(0x100000000, 0x100400000, MEMORY_USABLE);
	physical_start();
	while ((page = physical_take()))
		CHECK(page < 0x100000000);
	CHECK_NUMBER(physical_left(), 0x400000);
	physical_reach_all();
	CHECK_NUMBER(take_all(), 0x400);
}

TEST(a_place_that_is_claimed_goes_to_nobody)
{
	uint64_t page;

	start_over();
	add(0x100000, 0x1000000, MEMORY_USABLE);
	add(0x900000, 0x901000, MEMORY_OTHER);
	physical_start();
	uint64_t left = physical_left();
	CHECK(!physical_claim(0x800000, 0x200000)); /* a page of it is not memory */
	CHECK(!physical_claim(0xf00000, 0x400000)); /* beyond the end */
	CHECK_NUMBER(physical_left(), left);
	CHECK(physical_claim(0xa00000, 0x200000));
	CHECK(!physical_claim(0xb00000, 0x1000));
	CHECK_NUMBER(physical_left(), left - 0x200000);
	while ((page = physical_take()))
		CHECK(page < 0xa00000 || page >= 0xc00000);
}

TEST(neighbours_are_no_neighbours)
{
	unsigned following = 0;
	uint64_t last = 0;

	start_over();
	add(0x100000, 0x8000000, MEMORY_USABLE);
	physical_start();
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t page = physical_take();

		following += page == last + PAGE_SIZE;
		last = page;
	}
	CHECK(following < 20);
}

/* The first 100 pages that a seed gives, as one number. */
static uint64_t pages_of(uint64_t seed)
{
	uint64_t sum = 0;

	start_over();
	add(0x100000, 0x8000000, MEMORY_USABLE);
	physical_start();
	physical_seed(seed);
	for (unsigned i = 0; i < 100; i++)
		sum = sum * 31 + physical_take();
	return sum;
}

TEST(pages_follow_from_the_seed)
{
	CHECK_NUMBER(pages_of(1), pages_of(1));
	CHECK(pages_of(1) != pages_of(2));
}

static void try_a_random_map(struct random *r)
{
	unsigned ranges = 1 + random_below(r, 12);

	start_over();
	for (unsigned i = 0; i < ranges; i++) {
		uint64_t start = random_below(r, 0x3000000);

		add(start, start + 1 + random_below(r, 0x1000000),
		    (enum memory_kind)random_below(r, 3));
	}
	if (setjmp(panicked) == 0) { /* nothing usable: it is told, and the run ends */
		physical_start();
		take_all();
	}
}

TEST(maps_that_contradict_themselves)
{
	struct random r = random_seeded(5);

	for (unsigned n = 0; n < 300; n++)
		try_a_random_map(&r);
}

TEST(no_usable_memory_is_told)
{
	start_over();
	add(0x100000, 0x8000000, MEMORY_USABLE);
	add(0, (uint64_t)1 << 52, MEMORY_OTHER);
	if (setjmp(panicked) == 0) {
		physical_start();
		CHECK(!"it did not panic");
	}
}
