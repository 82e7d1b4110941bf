/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/smp.h"

#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/ioapic.h"
#include "kernel/kernel.h"
#include "kernel/lapic.h"
#include "kernel/lock.h"
#include "lib/cpus.h"
#include "lib/format.h"
#include "lib/string.h"

#define VECTOR_WAKE      0xf0
#define VECTOR_SHOOTDOWN 0xf1
#define DOZE_COUNT       50000 /* of the APIC's timer: 50 us under QEMU */

/* What belongs to another CPU, in addresses that are mapped but for the guards. */
struct block {
	uint8_t guard0[PAGE_SIZE], stack[32768];
	uint8_t guard1[PAGE_SIZE], nmi[16384];
	uint8_t guard2[PAGE_SIZE], double_fault[16384];
	uint8_t guard3[PAGE_SIZE], machine_check[16384];
	uint8_t tables[PAGE_SIZE]; /* GDT and TSS */
};

#define TOP(block, member) ((uintptr_t)(block)->member + sizeof(block)->member)

enum state { ABSENT, PARKED, WORKING, FAULTED }; /* PARKED: trampoline_start() awaits 1 */

static struct other {
	uint32_t lapic;
	volatile uint32_t state;    /* enum state */
	volatile uint32_t answered; /* number of the last shootdown that it did */
	void (*volatile work)(void *);
	void *volatile context;
	char silent[48]; /* what is said when it does not answer */
	struct fault fault;
} cpus[CPUS_MAX]; /* cpus[0] is the one that booted: it is given no work */

static struct block *blocks; /* of cpus[1] and up */
static unsigned used = 1;
static bool emulated;

unsigned machine_cpu(void)
{
	uintptr_t into = (uintptr_t)__builtin_frame_address(0) - (uintptr_t)blocks;

	return blocks && into < CPUS_MAX * sizeof *blocks ? (unsigned)(into / sizeof *blocks) + 1
							  : 0;
}

unsigned smp_used(void)
{
	return used;
}

bool smp_is_guard(uintptr_t address)
{
	uintptr_t into = address - (uintptr_t)blocks;

	return blocks && into < (used - 1) * sizeof *blocks && !page_find(address, NULL, NULL);
}

/* ------------------------------------------------------------ waiting */

/* Sleeps until an interrupt comes, at the latest that of the APIC's own timer. HLT is the
 * instruction behind STI, so none gets in between. */
static void doze(void)
{
	lapic_write(LAPIC_TIMER_DIVIDE, LAPIC_DIVIDE_BY_1);
	lapic_write(LAPIC_TIMER, LAPIC_PERIODIC | VECTOR_WAKE);
	lapic_write(LAPIC_TIMER_COUNT, DOZE_COUNT);
	__asm__ volatile("sti\n\thlt\n\tcli" : : : "memory");
	lapic_write(LAPIC_TIMER, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	lapic_write(LAPIC_TIMER_COUNT, 0);
}

/* A moment in which interrupts are taken. Where the CPUs are threads of an emulator, the
 * one that is waited for may not be running, and to wait awake would keep it from it. */
void machine_cpu_relax(void)
{
	uintptr_t flags = read_flags();

	__asm__ volatile("cli" : : : "memory");
	if (emulated)
		doze();
	else
		__asm__ volatile("sti\n\tpause\n\tcli" : : : "memory");
	if (flags & FLAG_IF)
		__asm__ volatile("sti" : : : "memory");
}

void smp_wait(uint64_t *deadline, const char *words)
{
	if (!*deadline)
		*deadline = clock_deadline(SMP_PATIENCE_MS * 1000);
	if (rdtsc() > *deadline)
		panic(words);
	machine_cpu_relax();
}

/* ------------------------------------------------------------ on the other CPUs */

static void flush_all(void)
{
	uintptr_t cr4 = read_cr4();

	write_cr3(read_cr3());
	if (cr4 & CR4_PGE) { /* global pages survive that */
		write_cr4(cr4 & ~(uintptr_t)CR4_PGE);
		write_cr4(cr4);
	}
}

/* While it is parked it looks at no page table, and nobody tells it of changes: so its
 * TLB is emptied before each piece of work. */
static void do_work(struct other *self)
{
	__asm__ volatile("sti");
	flush_all();
	self->work(self->context);
	__atomic_store_n(&self->state, PARKED, __ATOMIC_RELEASE);
}

/* Between its look at the state and the HLT no message gets lost: STI takes effect after
 * the instruction behind it. */
static _Noreturn void park(struct other *self)
{
	for (;;) {
		__asm__ volatile("cli");
		if (__atomic_load_n(&self->state, __ATOMIC_ACQUIRE) == WORKING)
			do_work(self);
		else
			__asm__ volatile("sti\n\thlt");
	}
}

_Noreturn void ap_entry(void)
{
	unsigned number = machine_cpu();
	struct block *own = &blocks[number - 1];
	const struct trap_stacks stacks = { TOP(own, nmi), TOP(own, double_fault),
					    TOP(own, machine_check) };

	descriptors_join(own->tables, &stacks);
	cpu_start();
	__asm__ volatile("fninit");
	lapic_join();
	__atomic_store_n(&cpus[number].state, PARKED, __ATOMIC_RELEASE);
	park(&cpus[number]);
}

static _Noreturn void stop(void)
{
	for (;;)
		__asm__ volatile("cli\n\thlt");
}

_Noreturn void smp_faulted(const struct fault *fault)
{
	struct other *self = &cpus[machine_cpu()];

	if (self->state == FAULTED) /* in telling of it */
		stop();
	self->fault = *fault;
	__atomic_store_n(&self->state, FAULTED, __ATOMIC_RELEASE);
	lapic_send(cpus[0].lapic, LAPIC_MESSAGE_NMI);
	stop();
}

const struct fault *smp_fault(void)
{
	for (unsigned i = 1; i < used; i++)
		if (__atomic_load_n(&cpus[i].state, __ATOMIC_ACQUIRE) == FAULTED)
			return &cpus[i].fault;
	return NULL;
}

/* ------------------------------------------------------------ interrupts */

void on_wake(void);
void on_shootdown(void);
void on_stray(void);

void on_wake(void)
{
	lapic_write(LAPIC_EOI, 0);
}

/* Spurious ones, of which the APIC knows nothing (SDM volume 3, 10.9), come here too:
 * an EOI for nothing does nothing. */
void on_stray(void)
{
	if (lapic_present())
		lapic_write(LAPIC_EOI, 0);
}

/* ------------------------------------------------------------ shootdown */

static struct {
	struct spinlock lock; /* from begin to finish */
	unsigned by;
	volatile uint32_t number;
	volatile uintptr_t address;
	volatile size_t bytes;
} shootdown;

#define FLUSH_PAGES_MAX 16 /* one by one; more go by all */

static void flush(uintptr_t address, size_t bytes)
{
	if (bytes > FLUSH_PAGES_MAX * PAGE_SIZE)
		flush_all();
	else
		for (size_t at = 0; at < bytes; at += PAGE_SIZE)
			invlpg(address + at);
}

void on_shootdown(void)
{
	uint32_t number = __atomic_load_n(&shootdown.number, __ATOMIC_ACQUIRE);

	flush(shootdown.address, shootdown.bytes);
	__atomic_store_n(&cpus[machine_cpu()].answered, number, __ATOMIC_RELEASE);
	lapic_write(LAPIC_EOI, 0);
}

static void await_answer(unsigned number, uint32_t shot)
{
	uint64_t deadline = 0;

	while (__atomic_load_n(&cpus[number].answered, __ATOMIC_ACQUIRE) != shot)
		smp_wait(&deadline, cpus[number].silent);
}

void tlb_shootdown_begin(uintptr_t address, size_t bytes)
{
	unsigned self = machine_cpu();

	flush(address, bytes);
	if (used == 1)
		return;
	spin_lock(&shootdown.lock);
	shootdown.by = self;
	shootdown.address = address;
	shootdown.bytes = bytes;
	__atomic_store_n(&shootdown.number, shootdown.number + 1, __ATOMIC_RELEASE);
	for (unsigned i = 0; i < used; i++)
		if (i != self)
			lapic_send(cpus[i].lapic, VECTOR_SHOOTDOWN);
}

void tlb_shootdown_finish(void)
{
	unsigned self = machine_cpu();

	if (!shootdown.lock.held || shootdown.by != self)
		return;
	for (unsigned i = 0; i < used; i++)
		if (i != self)
			await_answer(i, shootdown.number);
	spin_unlock(&shootdown.lock);
}

/* ------------------------------------------------------------ starting them */

static bool map_part(void *part, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += PAGE_SIZE) {
		uint64_t page = physical_take();

		if (!page ||
		    !page_map((uintptr_t)part + at, page, PAGE_SIZE, PAGE_WRITE | PAGE_GLOBAL))
			return false;
		memset((uint8_t *)part + at, 0, PAGE_SIZE);
	}
	return true;
}

static bool map_block(struct block *b)
{
	return map_part(b->stack, sizeof b->stack) && map_part(b->nmi, sizeof b->nmi) &&
	       map_part(b->double_fault, sizeof b->double_fault) &&
	       map_part(b->machine_check, sizeof b->machine_check) &&
	       map_part(b->tables, sizeof b->tables);
}

static void introduce(unsigned number, uint32_t lapic)
{
	cpus[number].lapic = lapic;
	format(cpus[number].silent, sizeof cpus->silent, "CPU %u does not answer a TLB shootdown",
	       number);
}

static bool start_cpu(unsigned number, uint32_t lapic)
{
	if (!map_block(&blocks[number - 1]))
		return false;
	introduce(number, lapic);
	return trampoline_start(lapic, TOP(&blocks[number - 1], stack), &cpus[number].state);
}

static bool is_started(uint32_t lapic)
{
	for (unsigned i = 0; i < used; i++)
		if (cpus[i].lapic == lapic)
			return true;
	return false;
}

/* Where one does not come, nor will the others: no more time is spent. */
static void start_cpus(const uint32_t *lapics, unsigned count)
{
	char line[80];

	for (unsigned i = 0; i < count && used < cpus_wanted(); i++) {
		if (is_started(lapics[i]))
			continue;
		if (start_cpu(used, lapics[i])) {
			used++;
			continue;
		}
		format(line, sizeof line, "# CPU with local APIC %u does not start", lapics[i]);
		machine_write_line(line, strlen(line));
		return;
	}
}

#define LAPICS_MAX 256

void smp_start(void)
{
	static uint32_t lapics[LAPICS_MAX];
	unsigned count = madt_cpus(lapics, LAPICS_MAX);

	if (!lapic_present() || count < 2 || cpus_wanted() < 2)
		return;
	blocks = (struct block *)window_take(CPUS_MAX * sizeof *blocks);
	if (!blocks || !trampoline_open())
		return;
	emulated = is_emulated();
	introduce(0, lapic_id());
	descriptors_interrupt(VECTOR_WAKE, interrupt_wake);
	descriptors_interrupt(VECTOR_SHOOTDOWN, interrupt_shootdown);
	start_cpus(lapics, count < LAPICS_MAX ? count : LAPICS_MAX);
	trampoline_close();
}

/* ------------------------------------------------------------ work for them */

static bool can_not(const char **why, const char *reason)
{
	*why = reason;
	return false;
}

bool machine_cpu_run(unsigned number, void (*work)(void *), void *context, const char **why)
{
	if (number == 0 || number >= used)
		return can_not(why, "there is no such CPU");
	if (cpus[number].state != PARKED)
		return can_not(why, "that CPU is at work");
	cpus[number].work = work;
	cpus[number].context = context;
	__atomic_store_n(&cpus[number].state, WORKING, __ATOMIC_RELEASE);
	lapic_send(cpus[number].lapic, VECTOR_WAKE);
	return true;
}

bool machine_cpu_wait(unsigned number, unsigned ms)
{
	uint64_t deadline = clock_deadline((uint64_t)ms * 1000);

	while (__atomic_load_n(&cpus[number].state, __ATOMIC_ACQUIRE) != PARKED) {
		if (rdtsc() > deadline)
			return false;
		machine_cpu_relax();
	}
	return true;
}
