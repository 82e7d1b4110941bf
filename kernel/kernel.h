/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's parts as they know each other. Start functions are called once, by
 * kernel_main(), which has their order. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "kernel/layout.h"
#include "suite/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of linker.ld. */
extern char image_start[], text_start[], text_end[], rodata_start[], data_start[], image_end[];

/* Called by boot/entry.asm: what the loader left in eax and ebx. */
void kernel_main(uint32_t magic, uint32_t info);

/* ------------------------------------------------------------ what the loader said */

enum memory_kind { MEMORY_USABLE, MEMORY_ACPI, MEMORY_OTHER };

struct memory_range {
	uint64_t start, end; /* bytes; end is the first byte after it */
	enum memory_kind kind;
};

#define MEMORY_RANGES_MAX 256
#define BOOT_MODULES_MAX  8

struct framebuffer {
	uint64_t address; /* physical; 0: there is none */
	uint32_t pitch, width, height;
	uint8_t bits; /* a pixel */
	bool text;    /* EGA text: width and height are characters */
	struct {
		uint8_t shift, bits;
	} red, green, blue;
};

/* A copy: nothing of the loader's own memory is used after boot_info_read(). */
struct boot_info {
	const char *protocol; /* "multiboot 1", "multiboot 2" */
	char loader[64];
	char command_line[1024];
	bool efi;         /* an EFI system table was passed */
	uint8_t rsdp[36]; /* the ACPI root pointer as the loader passed it; all 0: not passed */
	struct framebuffer framebuffer;
	struct memory_range memory[MEMORY_RANGES_MAX]; /* as given; memory_start() sorts them */
	size_t memory_ranges;
	struct memory_range modules[BOOT_MODULES_MAX]; /* never handed out as memory */
	size_t module_count;
	const char *problem; /* what of the loader's data made no sense, or NULL */
};
extern struct boot_info boot_info;

void boot_info_read(uint32_t magic, uint32_t info);

/* ------------------------------------------------------------ console */

/* From the options com= and screen=: ports, and VGA text through the direct map. Before
 * it machine_write_line() writes nothing. */
void console_early(void);

/* What has to be mapped first: framebuffer, MMIO and PCI UARTs. */
void console_start(void);

/* ------------------------------------------------------------ memory */

/* kernel/paging.c walks the tables that boot/entry.asm made from here on; this comes
 * before anything else. */
void page_tables_start(void);
/* For memory_start(): begins new tables, which page_map() then fills; loads them. */
bool page_tables_new(void);
void page_tables_use(void);

/* A second set of tables, for user mode: with the same user half, of which the top level
 * has to be brought up to date after changes, and nothing of the kernel's but what is
 * shared. 0 or false: no memory. */
uint64_t page_tables_second(void);
void page_tables_share_user(uint64_t second);
bool page_tables_share(uint64_t second, uintptr_t address, size_t bytes);

enum page_flags {
	PAGE_WRITE = 1u << 0,
	PAGE_USER = 1u << 1,
	PAGE_EXECUTE = 1u << 2, /* without it NX, where the CPU has it */
	PAGE_GLOBAL = 1u << 3,
	PAGE_UNCACHED = 1u << 4,
	PAGE_WRITE_COMBINING = 1u << 5, /* uncached where the CPU has no PAT */
	PAGE_LARGE = 1u << 6,           /* large pages where address and size allow */
	PAGE_WRITE_THROUGH = 1u << 7    /* small pages only */
};

/* Takes over the loader's memory map and boot/entry.asm's page tables: page tables for
 * the rest of the run, with the direct map, the image's own sections and the guards.
 * Panics where the map is of no use. */
void memory_start(void);

/* Of memory_start(): takes over the loader's map; until physical_reach_all() only what
 * boot/entry.asm mapped is handed out. */
void physical_start(void);
void physical_reach_all(void);
/* Takes these pages out of what is handed out, contents as they are; false, and nothing
 * is taken, where one of them is not free. */
bool physical_claim(uint64_t start, uint64_t bytes);

/* Physical pages, in seeded random order: so the same virtual range gets other cache
 * sets each time. 0 when there is none left. Contents are undefined. */
uint64_t physical_take(void);
void physical_give(uint64_t page);
void physical_seed(uint64_t seed);
/* `bytes` bytes in one piece, a multiple of their number and of WORD_SPAN's (pages.c): a
 * large page. 0 when there is none free. */
uint64_t physical_take_large(size_t bytes);
/* Of memory_start(): what kernel/pin.c needs of that, before it gets rare. */
void pins_reserve(void);
/* Usable memory as the loader gave it, and what is left of it, in bytes. */
uint64_t physical_total(void);
uint64_t physical_left(void);

/* The kernel's own view of a physical page that physical_take() returned. */
static inline void *direct(uint64_t physical)
{
	return (void *)(uintptr_t)(DIRECT_BASE + physical);
}

/* Multiples of PAGE_SIZE. What was mapped there is replaced. False: no memory for a
 * table. */
bool page_map(uintptr_t address, uint64_t physical, size_t bytes, uint32_t flags);
void page_unmap(uintptr_t address, size_t bytes);
/* What the CPU's page tables can map at once, from the smallest large page (i = 0) up;
 * 0 where there is no more. */
size_t page_large_bytes(unsigned i);
/* False where nothing is mapped; either pointer may be NULL. */
bool page_find(uintptr_t address, uint64_t *physical, uint32_t *flags);

/* Takes what a large page's place at `address` has out of the tables, a large page or a
 * table of small ones, and leaves the TLBs to the caller. Returns the table, to be given
 * back when no CPU can be looking at it any more; 0 where it was none. */
uint64_t page_cut(uintptr_t address);

/* Puts the entries that a walk to this address reads out of the caches. Needs CLFLUSH. */
void page_tables_flush(uintptr_t address);

/* Addresses among the windows, never given back; 0 when there are none left. Unmapped,
 * with an unmapped page on both sides. */
uintptr_t window_take(size_t bytes);

/* Memory for good: zeroed whole pages, mapped at a window. NULL: none left. */
void *memory_take(size_t bytes);

/* A device's registers or framebuffer, whatever its alignment; flags are
 * PAGE_UNCACHED or PAGE_WRITE_COMBINING. NULL when it cannot be mapped. */
void *device_map(uint64_t physical, size_t bytes, uint32_t flags);

/*
 * A stack with an unmapped page under it; top is &name.stack[size]. The guards are
 * found through the section stack_guards.
 */
#define GUARDED_STACK(name, size) GUARDED_STACK_IN(".bss.stacks", name, size)
/* One that the processor may switch to from user mode. */
#define ENTRY_STACK(name, size) GUARDED_STACK_IN(".bss.entry", name, size)

#define GUARDED_STACK_IN(place, name, size)                                                        \
	struct {                                                                                   \
		uint8_t guard[PAGE_SIZE];                                                          \
		uint8_t stack[size];                                                               \
	} name __attribute__((aligned(PAGE_SIZE), section(place)));                                \
	static const uint8_t *const name##_guard __attribute__((used, section("stack_guards"))) =  \
		name.guard

/* ------------------------------------------------------------ CPU */

/* CR0, CR4, EFER, PAT and XCR0: everything that protects, or that a routine may use. */
void cpu_start(void);

/* What this CPU has and cpu_start() turned on. */
struct cpu {
	bool nx, smep, smap, pge, pat;
	bool pages_1g; /* may be mapped */
	bool sse, sse2;
	uint64_t xcr0; /* as machine_xcr0() says */
};
extern struct cpu cpu;

/* What of the core needs a trap handler to be turned on: lfence on AMD. */
void core_start(void);
/* As the firmware left them: "on", "off" or, without a switch to read, "n/a". */
const char *prefetchers_found(void);

/* MSR access that survives an MSR that is not there: false, and *value untouched. */
bool msr_read(uint32_t msr, uint64_t *value);
bool msr_write(uint32_t msr, uint64_t value);
/* As the option msr= says; false: msr_write() refuses. */
bool msr_writes(void);

/* ------------------------------------------------------------ traps */

/* Checks and sorts the exception table, and patches STAC and CLAC in. */
void traps_start(void);
/* Maps the page of an area that is there on demand (suite/machine.h); false where the
 * address lies in none. */
bool area_demand(uintptr_t address);

/* Is this an address of the kernel's code? */
bool is_code(uintptr_t address);
/* Of the program that runs in user mode? */
bool is_user_code(uintptr_t address);
/*
 * To be asked for every NMI first. The watchdog counts 55 ms at a time: after a tick
 * the handler just returns; when it has expired the routine is given up.
 */
enum nmi_source { NMI_OTHER, NMI_WATCHDOG_TICK, NMI_WATCHDOG_EXPIRED };
enum nmi_source watchdog_nmi(void);
/* Around each routine under test: expires after 2 s. Nothing where the machine has no
 * way to send itself an NMI, as watchdog_start() finds out. */
void watchdog_set(void);
void watchdog_clear(void);
/* What runs is alive: its time starts anew. */
void watchdog_progress(void);
/* The same around what is timed: no NMI for 27 ms, and then one each 55; expires after 10 s. */
void watchdog_set_timed(void);
/* For good: an emulator's PIT, reset with the machine, would send the firmware an NMI. */
void watchdog_end(void);

/* ------------------------------------------------------------ devices */

/* 8259, PIT, HPET and LAPIC: nothing interrupts after it, but NMI. */
void quiet_start(void);
void clock_start(void);
/* The TSC in so many microseconds from now; further away where its frequency is not known. */
uint64_t clock_deadline(uint64_t us);
/* Needs the NMI handler. */
void watchdog_start(void);
void machine_identify(void);

/* The kernel cannot go on, though nothing trapped: reported as a fault with this note. */
_Noreturn void panic(const char *why);

/* The end of the run, as the option end= says. */
_Noreturn void end_run(bool passed);

#endif
