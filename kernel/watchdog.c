/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ends a routine that never returns. Interrupts are off under a routine, so it has
 * to be an NMI, and the local APIC's timer cannot send one: the PIT's one shot
 * does, on its old way through the 8259 to LINT0 set to deliver NMIs, or through
 * the I/O APIC. Which of them works on this machine is tried at start.
 *
 * It runs on from call to call, since setting it costs port accesses that are worth
 * many calls; before what is timed it is set anew where less than half a shot is left, so
 * that short timed regions see no NMI, and in longer ones they take no time to speak of. A
 * shot takes at most 55 ms, and a routine that is found running by LIMIT_SHOTS of them in
 * a row is given up: so an emulator that is not given time itself does not condemn a good
 * routine.
 */
#include "kernel/call.h"
#include "kernel/cpu.h"
#include "kernel/identity.h"
#include "kernel/ioapic.h"
#include "kernel/kernel.h"
#include "kernel/lapic.h"
#include "kernel/pic.h"
#include "kernel/pit.h"

#define SHOT_COUNTS 65536u
#define LIMIT_SHOTS 37u        /* 2 seconds */
#define LIMIT_TIMED 182u       /* 10 seconds */
#define TRY_COUNTS  1193u      /* 1 ms */
#define TRY_TICKS   (1u << 26) /* of the TSC; 7 ms at 10 GHz. What may stand still gets more: */
#define TRY_TIMES   16u

static enum { WAY_NONE, WAY_LINT0, WAY_IOAPIC } way;

/* Read and written by the NMI handler too. */
static volatile bool running;
static volatile unsigned calls; /* odd while a routine runs */
static volatile unsigned shots; /* that have come in */
static unsigned seen, stuck;    /* `calls` at the last shot, and how many found it so */
/* After it is stopped one NMI may be still on its way; QEMU's PIT, besides, is not
 * stopped by its mode being set, and fires at the shot's end. */
static volatile bool late;
static volatile bool starting;
static volatile uint64_t started_at; /* TSC */
static uint64_t shot_ticks;          /* TSC ticks that SHOT_COUNTS take, roughly */

/* The NMI of the shot that this one replaces may come in meanwhile, long after the first
 * write to the PIT where an emulator is not given time. */
static void start(uint32_t counts)
{
	if (running)
		late = true;
	running = true;
	starting = true;
	pit_shot(counts);
	started_at = rdtsc();
	starting = false;
}

static void stop(void)
{
	if (!running)
		return;
	running = false;
	late = true;
	pit_stop();
}

/* Whether the NMI of a 1 ms shot comes in. */
static bool tried(void)
{
	unsigned before = shots;
	uint64_t begin = rdtsc(), limit = is_virtual() ? TRY_TIMES * TRY_TICKS : TRY_TICKS;
	uint64_t hz = machine_clock()->tsc_hz;

	start(TRY_COUNTS);
	while (shots == before && rdtsc() - begin < limit)
		__asm__ volatile("pause");
	shot_ticks =
		hz ? hz / PIT_HZ * SHOT_COUNTS : (rdtsc() - begin) * (SHOT_COUNTS / TRY_COUNTS);
	stop();
	return shots != before;
}

void watchdog_start(void)
{
	if (!lapic_present())
		return;
	way = WAY_LINT0;
	pic_timer_on();
	pit_shot(SHOT_COUNTS);
	pic_timer_acknowledge(); /* what the firmware's use of the timer left behind */
	lapic_write(LAPIC_LINT0, LAPIC_DELIVER_NMI);
	if (tried())
		return;
	lapic_write(LAPIC_LINT0, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	pic_start();
	way = WAY_IOAPIC;
	if (ioapic_timer_nmi() && tried())
		return;
	way = WAY_NONE;
}

void watchdog_set(void)
{
	calls++;
	if (way != WAY_NONE && !running)
		start(SHOT_COUNTS);
}

void watchdog_set_timed(void)
{
	calls++;
	if (way != WAY_NONE && (!running || rdtsc() - started_at > shot_ticks / 2))
		start(SHOT_COUNTS);
}

void watchdog_clear(void)
{
	calls++;
}

void watchdog_progress(void)
{
	calls += 2;
}

void watchdog_end(void)
{
	running = false;
	late = true;
	if (way == WAY_LINT0)
		lapic_write(LAPIC_LINT0, LAPIC_MASKED | LAPIC_SPURIOUS_VEC);
	else if (way == WAY_IOAPIC)
		ioapic_quiet();
	way = WAY_NONE;
}

static void acknowledge(void)
{
	if (way == WAY_LINT0)
		pic_timer_acknowledge();
}

/* A shot came in while it runs: has the routine of the last one returned? */
static enum nmi_source next_shot(void)
{
	shots++;
	started_at = rdtsc();
	pit_shot(SHOT_COUNTS);
	if (calls % 2 == 0 || calls != seen) {
		seen = calls;
		stuck = 0;
	}
	return ++stuck < (timing ? LIMIT_TIMED : LIMIT_SHOTS) ? NMI_WATCHDOG_TICK
							      : NMI_WATCHDOG_EXPIRED;
}

enum nmi_source watchdog_nmi(void)
{
	bool over = pit_shot_over();
	if (running && over) {
		acknowledge();
		return next_shot();
	}
	if (starting || (late && (over || rdtsc() - started_at < 2 * shot_ticks))) {
		late = false;
		acknowledge();
		return NMI_WATCHDOG_TICK;
	}
	return NMI_OTHER;
}
