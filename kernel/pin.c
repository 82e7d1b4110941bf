/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pinning user pages (struct machine_pins), as kernels do before a device writes to them.
 *
 * Two forms find the page. The locked one holds off every change of the address space
 * while it looks. The lockless one (2008, Linux's get_user_pages_fast()) holds nothing:
 * it turns interrupts off, and whoever takes a page away from an address awaits every
 * CPU's answer to an interrupt before it lets go of the page or of a page table. So what
 * a walk finds is there until the walk has taken its reference.
 */
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/lock.h"
#include "kernel/smp.h"

/* tests/faulty/pin.c builds this file with faults to choose from. */
enum pin_fault { NO_FAULT, INTERRUPTS_ON, NO_REFERENCE, NOT_AWAITED };
#ifndef PIN_FAULT
#define PIN_FAULT    NO_FAULT
#define widen(fault) /* the window in which that fault does harm */
#endif

#define PAGES (PIN_BYTES / PAGE_SIZE)
#define AREAS 16

static uint64_t run;                        /* physical address of frame 0; 0: none */
static volatile uint32_t references[PAGES]; /* of each frame */
static uint16_t mapped[PAGES];              /* at each page: frame + 1, or 0 */
static uint32_t rights;                     /* of the last mapping, for resize() */
static size_t large;                        /* pages in a large page */
static struct rwlock areas_lock;            /* the areas, and what is mapped in them */
static struct spinlock tables_lock;         /* entries of page tables */
static struct {
	size_t page, pages;
} areas[AREAS]; /* in ascending order */
static unsigned area_count;

static uintptr_t address_of(size_t page)
{
	return PIN_BASE + page * PAGE_SIZE;
}

/* ------------------------------------------------------------ pinning */

/* For writing. Present, the user's, writable and one of ours, in a page of any size: else
 * false, and nothing taken. */
static bool take(uintptr_t address, size_t *frame)
{
	uint64_t physical;
	uint32_t flags;

	if (!page_find(address, &physical, &flags) ||
	    (flags & (PAGE_USER | PAGE_WRITE)) != (PAGE_USER | PAGE_WRITE) ||
	    physical - run >= PIN_BYTES)
		return false;
	*frame = (size_t)(physical - run) / PAGE_SIZE;
	widen(INTERRUPTS_ON);
	widen(NOT_AWAITED);
	if (PIN_FAULT != NO_REFERENCE)
		__atomic_fetch_add(&references[*frame], 1, __ATOMIC_ACQUIRE);
	return true;
}

static bool is_in_area(size_t page)
{
	unsigned low = 0, high = area_count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (page < areas[middle].page)
			high = middle;
		else if (page >= areas[middle].page + areas[middle].pages)
			low = middle + 1;
		else
			return true;
	}
	return false;
}

static bool pin_locked(uintptr_t address, size_t *frame)
{
	bool pinned = false;

	read_lock(&areas_lock);
	if (is_in_area((address - PIN_BASE) / PAGE_SIZE)) {
		spin_lock(&tables_lock);
		pinned = take(address, frame);
		spin_unlock(&tables_lock);
	}
	read_unlock(&areas_lock);
	return pinned;
}

static bool pin_lockless(uintptr_t address, size_t *frame)
{
	uintptr_t flags = read_flags();
	bool pinned;

	if (PIN_FAULT != INTERRUPTS_ON)
		__asm__ volatile("cli" : : : "memory");
	pinned = take(address, frame);
	if (flags & FLAG_IF)
		__asm__ volatile("sti" : : : "memory");
	widen(NO_REFERENCE);
	return pinned;
}

static bool pin(enum pin_form form, const void *user, size_t *frame)
{
	uintptr_t address = (uintptr_t)user;

	return (form == PIN_LOCKLESS && pin_lockless(address, frame)) || pin_locked(address, frame);
}

static void unpin(size_t frame)
{
	if (PIN_FAULT != NO_REFERENCE)
		__atomic_fetch_sub(&references[frame], 1, __ATOMIC_RELEASE);
}

static unsigned get_references(size_t frame)
{
	return __atomic_load_n(&references[frame], __ATOMIC_ACQUIRE);
}

/* ------------------------------------------------------------ mapping */

static void lock(void)
{
	write_lock(&areas_lock);
	spin_lock(&tables_lock);
}

static void unlock(void)
{
	spin_unlock(&tables_lock);
	write_unlock(&areas_lock);
}

/* Under the locks: a lockless walk does not see them, but finds nothing any more when it
 * starts after this, and has its reference before this returns. */
static void shoot_down(size_t page, size_t pages)
{
	if (PIN_FAULT == NOT_AWAITED)
		tlb_shootdown_finish(); /* the last one: this one may take its time */
	tlb_shootdown_begin(address_of(page), pages * PAGE_SIZE);
	if (PIN_FAULT != NOT_AWAITED)
		tlb_shootdown_finish();
}

static bool is_large_place(size_t page, size_t pages)
{
	return pages == large && page % large == 0 && page + pages <= PAGES;
}

static bool map(size_t page, size_t frame, size_t pages, enum area_access access)
{
	bool done = page + pages <= PAGES && frame + pages <= PAGES;

	if (!done || (pages != 1 && !(is_large_place(page, pages) && frame % large == 0)))
		return false;
	lock();
	rights = PAGE_USER | (access == ACCESS_READ_WRITE ? PAGE_WRITE : 0);
	for (size_t i = 0; i < pages; i++) {
		__atomic_fetch_add(&references[frame + i], 1, __ATOMIC_RELAXED);
		mapped[page + i] = (uint16_t)(frame + i + 1);
	}
	done = page_map(address_of(page), run + frame * PAGE_SIZE, pages * PAGE_SIZE,
			rights | (pages == 1 ? 0 : PAGE_LARGE));
	unlock();
	return done;
}

/* A large page, or the table of small ones in its place. */
static void cut(size_t page)
{
	uint64_t table = page_cut(address_of(page));

	shoot_down(page, large);
	if (table)
		physical_give(table);
}

static void unmap(size_t page, size_t pages)
{
	lock();
	if (is_large_place(page, pages)) {
		cut(page);
	} else {
		page_unmap(address_of(page), pages * PAGE_SIZE);
		shoot_down(page, pages);
	}
	for (size_t i = page; i < page + pages; i++) {
		if (mapped[i])
			__atomic_fetch_sub(&references[mapped[i] - 1], 1, __ATOMIC_RELEASE);
		mapped[i] = 0;
	}
	unlock();
}

static bool is_run(size_t page)
{
	for (size_t i = 0; i < large; i++)
		if (mapped[page] % large != 1 || mapped[page + i] != mapped[page] + i)
			return false;
	return true;
}

/* By way of nothing: a TLB that has both a large page and small ones for one address may
 * do as it likes (SDM volume 3, 4.10.2.3). */
static bool resize(size_t page, bool to_large)
{
	bool done;

	if (!is_large_place(page, large) || !is_run(page))
		return false;
	lock();
	cut(page);
	done = page_map(address_of(page), run + (mapped[page] - 1u) * PAGE_SIZE, large * PAGE_SIZE,
			rights | (to_large ? PAGE_LARGE : 0));
	unlock();
	return done;
}

/* ------------------------------------------------------------ areas, and all of it */

static bool add_area(size_t page, size_t pages)
{
	size_t end = area_count ? areas[area_count - 1].page + areas[area_count - 1].pages : 0;

	if (area_count == AREAS || page < end || page + pages > PAGES)
		return false;
	areas[area_count].page = page;
	areas[area_count++].pages = pages;
	return true;
}

static void reset(void)
{
	for (size_t page = 0; page < PAGES; page += large)
		unmap(page, large);
	area_count = 0;
}

void pins_reserve(void)
{
	run = physical_take_large(PIN_BYTES);
}

const struct machine_pins *machine_pins(const char **why)
{
	static struct machine_pins pins;

	*why = "no run of free memory for it at start";
	if (!run)
		return NULL;
	large = page_large_bytes(0) / PAGE_SIZE;
	pins = (struct machine_pins){
		.user = (uint8_t *)PIN_BASE,
		.alias = direct(run),
		.pages = PAGES,
		.large = large,
		.area = add_area,
		.map = map,
		.unmap = unmap,
		.resize = resize,
		.pin = pin,
		.unpin = unpin,
		.references = get_references,
		.reset = reset,
	};
	return &pins;
}
