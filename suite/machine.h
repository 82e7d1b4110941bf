/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine can do for the suite. kernel/ implements it on bare metal,
 * hosted/ in a Linux process; the suite knows nothing below this page, and asks
 * it for nothing that cannot be answered with "can't".
 *
 * Functions that may be unable return false (or 0, or NULL where they return a
 * pointer) and, where they take one, leave the reason in *why: a short phrase
 * for "skipped: ..." lines, never NULL on failure.
 */
#ifndef SUITE_MACHINE_H
#define SUITE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ------------------------------------------------------------ who it is */

enum timing_kind { TIMING_HARDWARE, TIMING_VIRTUAL, TIMING_EMULATED, TIMING_HOSTED };

/* CPUID as the machine sees it; the suite decodes it (suite/cpu.c). A CPU without
 * CPUID, or a leaf above its maximum, gives zeros. */
struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};
struct cpuid_regs machine_cpuid(uint32_t leaf, uint32_t subleaf);

/* Vector state that the operating system turned on: XCR0 where there is one, else
 * bits 0 and 1 (x87, SSE) as FPU and FXSR were turned on. */
uint64_t machine_xcr0(void);

struct machine_identity {
	bool hosted;             /* an operating system lies between the suite and the CPU */
	bool emulator;           /* known from outside CPUID to be an emulator (boot data, ports) */
	const char *firmware;    /* "bios", "uefi" or "n/a" */
	const char *microcode;   /* "0x2b000603" or "n/a" */
	const char *prefetchers; /* "on" or "off", as they were found, or "n/a" */
	uint64_t memory_bytes;   /* usable memory, 0 if not known */
	unsigned cpus_online;    /* CPUs that this machine could use; 0 if not known */
	unsigned cpus_used;
	const char
		*addresses; /* "fixed" or "random" from run to run; NULL: no system chooses them */
	const char *serial; /* the port that the record goes to, and others found; or NULL */
};
const struct machine_identity *machine_identity(void);

/* What an experiment may ask for (struct experiment.needs). */
enum machine_can {
	CAN_RING0 = 1u << 0,     /* privileged instructions: MSRs, control registers, wbinvd */
	CAN_USER_MODE = 1u << 1, /* run user-mode code with system calls */
	CAN_CPUS = 1u << 2       /* start and signal other CPUs */
};
uint32_t machine_can(void);

/* ------------------------------------------------------------ the record's way out */

/* One whole line without its line end. Goes to every place that records go to
 * (serial, screen, standard output). Never fails: a dead port is given up. */
void machine_write_line(const char *text, size_t length);

/* How far the run is, for whoever stands before the machine: `done` of the `total`
 * steps of a phase, whose name stays valid. */
void machine_progress(const char *phase, unsigned done, unsigned total);

/* The command line the machine was started with, for lib/option. */
const char *machine_command_line(void);

/* ------------------------------------------------------------ clocks */

struct machine_clock {
	uint64_t tsc_hz;    /* 0 where two sources disagree by over 1 %, or none was found */
	const char *source; /* "cpuid15", "cpuid16", "hypervisor", "hpet", "pmtimer", "pit",
			       "monotonic", "none" */
	const char *cross;  /* the second source, or "none" */
	uint64_t ppm;       /* how far apart the two are */
	uint32_t tsc_step;  /* distinct TSC values are at least this far apart */
};
const struct machine_clock *machine_clock(void);

/* TSC now; for progress and time limits, not for measuring. */
uint64_t machine_ticks(void);

/* ------------------------------------------------------------ memory */

enum area_kind {
	AREA_USER,  /* user pages: U/S = 1, reached by routines through the user address */
	AREA_KERNEL /* supervisor pages (hosted: ordinary memory that no fixup is taken for) */
};

enum area_access {
	ACCESS_READ_WRITE,
	ACCESS_READ_ONLY,
	ACCESS_ON_DEMAND /* machine_area_protect() alone */
};

/* No two user areas are nearer to each other than this: a buffer that hangs over the
 * end of one meets nothing else. (An unmapped page is enough around a kernel area.) */
#define MACHINE_USER_GAP 0x20000u

/*
 * Pages with an unmapped page hard against both ends. `base` is the address for
 * routines under test; the suite itself reads and writes through `alias`, the
 * supervisor's mapping of the same pages (alias may equal base).
 */
struct area {
	uint8_t *base;
	uint8_t *alias;
	size_t size; /* bytes, whole pages */
	enum area_kind kind;
	uint32_t id; /* the machine's own */
};

#define MACHINE_PAGE 4096u

/* The first address that is not the user's: a range that ends above it is refused by
 * copy_from_user, and the suite takes user addresses that must fail from there. */
uintptr_t machine_user_limit(void);

/* `size` is rounded up to whole pages; contents are undefined. The pages are there
 * (no demand paging, locked where that can be asked for). */
bool machine_area_map(enum area_kind kind, enum area_access access, size_t size, struct area *out,
		      const char **why);

/* The same addresses over other physical pages, as far as the machine can choose
 * them; what varies between rounds is the honest error. Contents are undefined. */
bool machine_area_renew(struct area *area, const char **why);

void machine_area_unmap(struct area *area);

/*
 * A kernel area on pages of `page` bytes: 2 MiB (4 MiB on an i386 without PAE) or
 * 1 GiB, as machine_large_page() says. `alias` equals `base`; it is never renewed or
 * unmapped, and a second call for the same `page` and index gives the same memory.
 */
#define MACHINE_LARGE_AREAS 2
bool machine_area_large(size_t page, unsigned index, struct area *out, const char **why);

/* The same for a user area, with MACHINE_USER_GAP of unmapped addresses after its end. */
bool machine_area_large_user(size_t page, unsigned index, struct area *out, const char **why);

/* The sizes of large pages in ascending order, from i = 0; 0 where there is no more. */
size_t machine_large_page(unsigned i);

/* What the machine chooses by chance follows from this: the pages of areas, on bare metal. */
void machine_seed(uint64_t seed);

/* Single pages for what a kernel keeps in them (a page cache, buffers), at the address by
 * which it reaches all of memory: on bare metal in the direct map, with its large pages.
 * Contents are undefined. NULL: none left. */
uint8_t *machine_page_take(void);
void machine_page_give(uint8_t *page);
/* How many could be taken now. */
size_t machine_pages_left(void);

/*
 * What a user area's pages from `offset` on, `size` bytes of them, allow by way of
 * `base`; the alias is always writable. ACCESS_ON_DEMAND: such a page is not there
 * until a routine that machine_call() runs faults on it. Then the handler makes use of
 * every FPU register, as a sleep there would by running others, maps the page, and the
 * instruction is run again (outcome.demanded). One range of an area can be on demand.
 */
bool machine_area_protect(struct area *area, size_t offset, size_t size, enum area_access access,
			  const char **why);

/* Whether the handler of a page on demand keeps the FPU's state around what it makes use of
 * (it does), or not: so that what then becomes of a copy can be seen. */
void machine_demand_keeps_fpu(bool keeps);

/* The lowest of some 100,000 user addresses at which an access raises #GP (or #SS) in
 * machine_call(): not canonical, or beyond a segment's limit. NULL: there are none. */
uint8_t *machine_noncanonical(const char **why);

/* The suite may reach user pages by their user address only while this is open, and
 * calls nothing of the machine's meanwhile (SMAP on bare metal). */
void machine_user_access(bool open);

/* Writes back and empties every cache of this CPU (WBINVD): for a CPU without CLFLUSH. */
bool machine_flush_caches(const char **why);

/*
 * Forgets the translations of the n bytes at p (INVLPG, which empties the
 * paging-structure caches too); with `tables`, the entries that the walk will read
 * leave the caches as well.
 */
bool machine_tlb_forget(const void *p, size_t n, bool tables, const char **why);

enum memory_type { MEMORY_WB, MEMORY_WT, MEMORY_WC, MEMORY_UC, MEMORY_TYPES };

/* Both addresses of the area get this type; caches are emptied. machine_area_renew()
 * and unmapping make it write-back again. */
bool machine_area_type(struct area *area, enum memory_type type, const char **why);

/* ------------------------------------------------------------ the core */

/* Hardware prefetchers of this CPU, all that there is a switch for. Read back: true
 * only where the switch holds. */
bool machine_prefetchers(bool on, const char **why);

/*
 * Lazy switching of the FPU: from here on the next instruction that uses it traps (CR0.TS,
 * #NM); the FPU is usable again then, owner() is called, and the instruction is run again.
 * It may be called in a timed call.
 */
bool machine_fpu_lazy(void (*owner)(void), const char **why);

/* A count of core cycles, read with what it is ("aperf", "counter"); differences are
 * exact, its start means nothing. False where there is none. */
bool machine_core_count(uint64_t *cycles, const char **source);

/* Events of this CPU so far that disturb a measurement and cannot be masked: SMIs on
 * bare metal, being put off the CPU in a process. 0 where they are not counted. */
uint64_t machine_disturbances(void);

/* Goes on on another CPU of this kind, since others use this one; caches stay behind. False
 * where there is none: on bare metal all others sleep. */
bool machine_move(void);

enum event {
	EVENT_CYCLES,
	EVENT_INSTRUCTIONS,
	EVENT_LLC_REFERENCES,
	EVENT_LLC_MISSES,
	EVENT_DTLB_MISSES,
	EVENTS
};

/* The event so far, counted from the first call on; false where it cannot be, or
 * where the CPU's counters did not pass their self-test. */
bool machine_event(enum event event, uint64_t *count, const char **why);

/* ------------------------------------------------------------ calling a routine */

/* Bits of struct outcome.broken: what a routine did not keep. */
enum broken_state {
	BROKEN_REGISTER = 1u << 0, /* a callee-saved register */
	BROKEN_STACK = 1u << 1,    /* the stack pointer */
	BROKEN_DF = 1u << 2,       /* DF set on return */
	BROKEN_AC = 1u << 3,       /* AC not as on entry: a user access left open */
	BROKEN_IF = 1u << 4,
	BROKEN_SEGMENT = 1u << 5
};

#define FAULT_REGISTERS 16
#define FAULT_TRACE     12

/* A trap that nothing was ready for, as it was found. */
struct fault {
	uint32_t vector;   /* x86 exception vector, or FAULT_... below */
	uint32_t error;    /* error code, 0 where the vector has none */
	uintptr_t address; /* CR2 for #PF and #DF; 0 else */
	uintptr_t ip, sp, flags;
	uintptr_t reg[FAULT_REGISTERS]; /* rax rbx rcx rdx rsi rdi rbp r8..r15; i386: the first 7 */
	unsigned regs;                  /* how many of reg[] this width has */
	uintptr_t trace[FAULT_TRACE];   /* return addresses, innermost first */
	unsigned traced;
	unsigned cpu;     /* that it happened on: machine_cpu() */
	const char *note; /* a further word on why ("kernel address: no fixup is taken"), or NULL */
};
#define FAULT_WATCHDOG 0x100u /* a routine that never returned */
#define FAULT_PANIC    0x101u /* nothing trapped: the machine itself gave up, `note` says why */

struct outcome {
	size_t residue;    /* what the routine returned */
	uintptr_t second;  /* what it left in the register of a second result: a checksum */
	uint32_t broken;   /* enum broken_state */
	uint32_t fpu;      /* enum fpu_file (lib/fpustate.h): registers not as before the call */
	unsigned fixups;   /* faults that the exception table answered */
	unsigned demanded; /* pages mapped in under it (ACCESS_ON_DEMAND) */
	bool returned;     /* false: given up, `fault` says why */
	struct fault fault;
};

/*
 * Calls entry(to, from, n) so that whatever it does comes back here. A fault on a
 * user address (or #GP, #SS for a non-canonical one) with an exception-table entry
 * goes to its fixup; any other fault, and any fault on a kernel address, gives the
 * routine up. Interrupts are off, or signals blocked, as far as that can be.
 */
void machine_call(uintptr_t entry, void *to, const void *from, size_t n, struct outcome *out);

/*
 * TSC ticks for `count` calls in one bracket, as lib/call.h says; the arguments
 * must not fault (if they do, or if the calls take 10 s or so, the machine dies with a
 * report). 0 calls: the empty bracket.
 */
uint64_t machine_time(uintptr_t entry, void *to, const void *from, size_t n, size_t count);

/* ------------------------------------------------------------ user-mode code */

/*
 * A program that runs in user mode, in an address space whose user half has the user
 * areas. It is C of its own kind: every function has USER_CODE, refers to nothing but
 * other such functions (no constants in memory, no library, no floating point: the
 * kernels' linker refuses the rest) and reaches data by `argument` alone. `call` is its
 * only way out; returning ends it.
 */
#define USER_CODE __attribute__((section(".user_text")))

typedef uintptr_t user_call(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c);
typedef uintptr_t user_program(user_call *call, void *argument);

/* What answers the program's calls, in the kernel. It may reach user memory by the user
 * forms of routines alone. Any number but UINTPTR_MAX can be called. */
typedef uintptr_t user_service(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c);

struct user_run {
	const char *entry; /* one of machine_user_entry() */
	user_program *program;
	void *argument; /* in a user area */
	user_service *service;
};

/* The ways in which a program's call enters the kernel, the usual one first: "syscall";
 * "sysenter", "int80"; hosted "function", which crosses no ring. NULL after the last. */
const char *machine_user_entry(unsigned i);

/* Whether each entry switches page tables, and each return. *why is NULL, but where pti=on
 * was asked for in vain. */
bool machine_user_isolated(const char **why);

/*
 * Runs the program to its end; out->residue is what it returned. As a routine under
 * test it may be given up, for a fault of its own or of the service, or because it makes
 * no call for seconds: out->returned is false then, and out->fault says why. False: it
 * could not be started.
 */
bool machine_user_run(const struct user_run *run, struct outcome *out, const char **why);

/* ------------------------------------------------------------ other CPUs */

/*
 * CPU 0 is the one that the suite runs on. The others, 1 to cpus_used - 1, run a function
 * at a time that they are given, and are parked else. Such a function shares memory with
 * the suite, and may call of the machine only what says so here, machine_ticks() and
 * struct machine_pins; nothing of the record. A fault in it that no exception-table entry
 * answers ends the run, with the CPU named.
 */

/* Which CPU runs this. Any CPU may ask. */
unsigned machine_cpu(void);

/* Starts work(context) on that CPU and does not wait for it. */
bool machine_cpu_run(unsigned cpu, void (*work)(void *), void *context, const char **why);

/* Waits until the CPU has nothing more to do: false where it still has after `ms`. */
bool machine_cpu_wait(unsigned cpu, unsigned ms);

/* For loops that wait for another CPU: a moment for it. Any CPU may call it. */
void machine_cpu_relax(void);

/* ------------------------------------------------------------ jobs that are shared out */

/*
 * `count` jobs that do not depend on each other. run(job, result) does one and leaves its
 * result, of `size` bytes; finish(job, result) is called for each, in their order. A
 * process gives them to processes of their own, as many as the CPUs that it may use. These
 * have its memory as it is now, call begin() first, and leave nothing behind but results:
 * what else they change or print is lost. Other machines run the jobs here, one after
 * another, and so are those whose process ended or had false from begin().
 */
struct machine_jobs {
	size_t count, size;
	bool (*begin)(void);
	void (*run)(size_t job, void *result);
	void (*finish)(size_t job, void *result);
	void *result; /* room for one result */
};
void machine_share_out(const struct machine_jobs *jobs);

/* ------------------------------------------------------------ pinned pages */

enum pin_form {
	PIN_LOCKED,  /* under the locks of the areas and of the page tables */
	PIN_LOCKLESS /* without; falls back on the other where anything is unusual */
};

/*
 * Page tables that a program may change while another CPU walks them, and pages that can
 * be pinned: `pages` pages of user addresses, of which none is mapped at first, and as many
 * of memory, called frames, in a row, that the supervisor sees at `alias`. A frame counts
 * its references: one for being mapped, one for each pin.
 */
struct machine_pins {
	uint8_t *user, *alias;
	size_t pages;
	size_t large; /* pages in a large page */

	/* What the locked form looks up first: where a page may be; in ascending order. */
	bool (*area)(size_t page, size_t pages);

	/* One page; or, at multiples of it, `large` of them as a large page. False: no memory
	 * for a table, or no such place. Nothing may be mapped there yet. */
	bool (*map)(size_t page, size_t frame, size_t pages, enum area_access access);
	/* One page, or what is in a large page's place. When it returns, no CPU has a
	 * translation left, and the mapping's references are gone. */
	void (*unmap)(size_t page, size_t pages);
	/* A large page to small ones with the same frames, and back. False: no memory, or it
	 * is not all mapped, with the last map()'s access, to frames in a row. */
	bool (*resize)(size_t page, bool to_large);

	/* Any CPU may call these. pin() is for writing; false where that page cannot be. */
	bool (*pin)(enum pin_form form, const void *user, size_t *frame);
	void (*unpin)(size_t frame);
	unsigned (*references)(size_t frame);

	/* Unmaps everything and forgets the areas. */
	void (*reset)(void);
};

/* NULL where it can't. */
const struct machine_pins *machine_pins(const char **why);

/* The name of the code at ip ("rep_movsb.to_user"), and how far in it is; NULL
 * where it is not known. */
const char *machine_symbol(uintptr_t ip, uintptr_t *offset);

#endif
