/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Areas: a memory file mapped twice, as a kernel sees user pages twice. `base` has
 * the protection that was asked for and inaccessible pages at both ends; `alias`
 * is always writable.
 */
#include "hosted/hosted.h"
#include "suite/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uintptr_t machine_user_limit(void)
{
	return HOSTED_USER_LIMIT;
}

#define GUARD MACHINE_USER_GAP

/* Address space for an area and the guards around it; NULL where there is none. */
static uint8_t *reserve(enum area_kind kind, size_t size)
{
	static uintptr_t next_user = HOSTED_USER_AREAS;
	size += 2 * GUARD;
	void *hint = NULL;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	if (kind == AREA_USER) {
		/* addresses are never used again: a stale pointer faults */
		if (size > HOSTED_USER_LIMIT - next_user)
			return NULL;
		hint = (void *)next_user;
		next_user += size;
		flags |= MAP_FIXED_NOREPLACE;
	}
	uint8_t *space = mmap(hint, size, PROT_NONE, flags, -1, 0);
	if (space == MAP_FAILED)
		return NULL;
	if (kind == AREA_USER && space != hint) {
		munmap(space, size);
		return NULL;
	}
	return space;
}

/* Fresh pages at both addresses of the area. Locking them may be refused (RLIMIT_MEMLOCK);
 * they are there all the same, populated. */
static bool place_pages(const struct area *area, enum area_access access)
{
	int file = memfd_create("metalcopy", MFD_CLOEXEC);
	if (file < 0)
		return false;
	int protection = access == ACCESS_READ_ONLY ? PROT_READ : PROT_READ | PROT_WRITE;
	int flags = MAP_SHARED | MAP_POPULATE | MAP_FIXED;
	bool ok = ftruncate(file, (off_t)area->size) == 0 &&
		  mmap(area->alias, area->size, PROT_READ | PROT_WRITE, flags, file, 0) ==
			  area->alias &&
		  mmap(area->base, area->size, protection, flags, file, 0) == area->base;
	close(file);
	if (ok)
		mlock(area->base, area->size);
	return ok;
}

bool machine_area_map(enum area_kind kind, enum area_access access, size_t size, struct area *out,
		      const char **why)
{
	*why = "no memory";
	size = (size + MACHINE_PAGE - 1) & -(size_t)MACHINE_PAGE;
	if (!size)
		size = MACHINE_PAGE;
	if (size > HOSTED_USER_LIMIT / 4)
		return false;
	uint8_t *base = reserve(kind, size), *alias = reserve(AREA_KERNEL, size);
	*out = (struct area){ .base = base + GUARD,
			      .alias = alias + GUARD,
			      .size = size,
			      .kind = kind,
			      .id = access };
	if (base && alias && place_pages(out, access))
		return true;
	if (base)
		munmap(base, size + 2 * GUARD);
	if (alias)
		munmap(alias, size + 2 * GUARD);
	return false;
}

bool machine_area_renew(struct area *area, const char **why)
{
	*why = "no memory";
	return place_pages(area, area->id);
}

/* Ranges that are there on demand, one an area. */
static struct {
	uintptr_t area, begin, end;
} demands[8];
#define DEMANDS (sizeof(demands) / sizeof(demands[0]))

static bool set_demand(uintptr_t area, uintptr_t begin, size_t size)
{
	for (size_t i = 0; i < DEMANDS; i++) {
		if (demands[i].area != area && (demands[i].area || !size))
			continue;
		demands[i].area = size ? area : 0;
		demands[i].begin = begin;
		demands[i].end = begin + size;
		return true;
	}
	return !size;
}

bool machine_area_protect(struct area *area, size_t offset, size_t size, enum area_access access,
			  const char **why)
{
	static const int protection[] = { [ACCESS_READ_WRITE] = PROT_READ | PROT_WRITE,
					  [ACCESS_READ_ONLY] = PROT_READ,
					  [ACCESS_ON_DEMAND] = PROT_NONE };
	uintptr_t base = (uintptr_t)area->base;
	*why = "mprotect is refused";
	if (access == ACCESS_ON_DEMAND && !set_demand(base, base + offset, size))
		return false;
	return mprotect(area->base + offset, size, protection[access]) == 0;
}

bool area_demand(uintptr_t address)
{
	for (size_t i = 0; i < DEMANDS; i++)
		if (demands[i].area && address >= demands[i].begin && address < demands[i].end)
			return mprotect((void *)(address & -(uintptr_t)MACHINE_PAGE), MACHINE_PAGE,
					PROT_READ | PROT_WRITE) == 0;
	return false;
}

uint8_t *machine_noncanonical(const char **why)
{
	*why = NULL;
	return (uint8_t *)0x0000800000000000u;
}

void machine_area_unmap(struct area *area)
{
	set_demand((uintptr_t)area->base, 0, 0);
	munmap(area->base - GUARD, area->size + 2 * GUARD);
	munmap(area->alias - GUARD, area->size + 2 * GUARD);
	memset(area, 0, sizeof(*area));
}

/* Taken from the system in pieces, and kept until the end. */
#define PIECE ((size_t)2 << 20)

struct free_page {
	struct free_page *next;
};
static struct free_page *free_pages;

static void add_pages(void)
{
	uint8_t *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (piece == MAP_FAILED)
		return;
	for (size_t at = PIECE; at > 0; at -= MACHINE_PAGE)
		machine_page_give(piece + at - MACHINE_PAGE);
}

void machine_seed(uint64_t seed)
{
	(void)seed; /* pages are the system's to choose */
}

uint8_t *machine_page_take(void)
{
	if (!free_pages)
		add_pages();
	struct free_page *page = free_pages;
	if (page)
		free_pages = page->next;
	return (uint8_t *)page;
}

void machine_page_give(uint8_t *page)
{
	struct free_page *free_page = (struct free_page *)page;
	free_page->next = free_pages;
	free_pages = free_page;
}

size_t machine_pages_left(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES);
	return pages > 0 ? (size_t)pages : 0;
}

#define LARGE_PAGE ((size_t)2 << 20)

size_t machine_large_page(unsigned i)
{
	return i == 0 ? LARGE_PAGE : 0;
}

/* The kernel gives a huge page or does not; only /proc tells. */
static bool is_huge(const uint8_t *base)
{
	char line[256], start[32];
	unsigned long kib = 0;
	bool here = false;
	FILE *maps = fopen("/proc/self/smaps", "r");
	snprintf(start, sizeof(start), "%lx-", (unsigned long)base);
	while (maps && fgets(line, sizeof(line), maps)) {
		if (strncmp(line, start, strlen(start)) == 0)
			here = true;
		else if (here && sscanf(line, "AnonHugePages: %lu kB", &kib) == 1)
			break;
	}
	if (maps)
		fclose(maps);
	return kib >= LARGE_PAGE / 1024;
}

static uint8_t *map_huge(enum area_kind kind)
{
	uint8_t *space = reserve(kind, 2 * LARGE_PAGE);
	if (!space)
		return NULL;
	uint8_t *base = (uint8_t *)(((uintptr_t)space + GUARD + LARGE_PAGE - 1) & -LARGE_PAGE);
	if (mmap(base, LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		 -1, 0) != base)
		return NULL;
	madvise(base, LARGE_PAGE, MADV_HUGEPAGE);
	memset(base, 1, LARGE_PAGE);
	return is_huge(base) ? base : NULL;
}

static uint8_t *huge_mapped[2][MACHINE_LARGE_AREAS]; /* [is for the user] */

/* Written to, a huge page that is shared with another process becomes small ones. */
void area_forked(void)
{
	memset(huge_mapped, 0, sizeof(huge_mapped));
}

static bool large_area(enum area_kind kind, size_t page, unsigned index, struct area *out,
		       const char **why)
{
	uint8_t **huge = huge_mapped[kind == AREA_USER];
	*why = "no pages of that size";
	if (page != LARGE_PAGE || index >= MACHINE_LARGE_AREAS)
		return false;
	if (!huge[index])
		huge[index] = map_huge(kind);
	*why = "the system gave no huge page";
	*out = (struct area){
		.base = huge[index], .alias = huge[index], .size = LARGE_PAGE, .kind = kind
	};
	return huge[index] != NULL;
}

bool machine_area_large(size_t page, unsigned index, struct area *out, const char **why)
{
	return large_area(AREA_KERNEL, page, index, out, why);
}

bool machine_area_large_user(size_t page, unsigned index, struct area *out, const char **why)
{
	return large_area(AREA_USER, page, index, out, why);
}

void machine_user_access(bool open)
{
	(void)open;
}

bool machine_flush_caches(const char **why)
{
	*why = "no clflush, and wbinvd needs ring 0";
	return false;
}

bool machine_tlb_forget(const void *p, size_t n, bool tables, const char **why)
{
	(void)p, (void)n, (void)tables;
	*why = "invlpg needs ring 0";
	return false;
}

bool machine_area_type(struct area *area, enum memory_type type, const char **why)
{
	(void)area;
	*why = "memory types need ring 0";
	return type == MEMORY_WB;
}

const struct machine_pins *machine_pins(const char **why)
{
	*why = "walking page tables needs ring 0";
	return NULL;
}
