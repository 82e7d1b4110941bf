/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ends a routine that never returns. Interrupts are off under a routine, so it has
 * to be an NMI, and the local APIC's timer cannot send one: the PIT's one shot
 * does, on its old way through the 8259 to LINT0 set to deliver NMIs, or through
 * the I/O APIC. Which of them works on this machine is tried at start.
 *
 * A shot takes at most 55 ms; the watchdog bites after LIMIT_SHOTS of them, so
 * that an emulator that is not given time itself does not condemn a good routine.
 */
#include "kernel/cpu.h"
#include "kernel/ioapic.h"
#include "kernel/kernel.h"
#include "kernel/lapic.h"
#include "kernel/pic.h"
#include "kernel/pit.h"

#define SHOT_COUNTS 65536u
#define LIMIT_SHOTS 37u        /* 2 seconds */
#define TRY_COUNTS  1193u      /* 1 ms */
#define TRY_TICKS   (1u << 26) /* of the TSC; 7 ms at 10 GHz */

static enum { WAY_NONE, WAY_LINT0, WAY_IOAPIC } way;

/* Read and written by the NMI handler too. */
static volatile bool set;
/* After a routine came back one NMI may be still on its way; QEMU's PIT, besides,
 * is not stopped by its mode being set, and fires at the shot's end. */
static volatile bool late;
static volatile unsigned shots_left;
static volatile uint64_t set_at; /* TSC */
static uint64_t shot_ticks;      /* TSC ticks that SHOT_COUNTS take, roughly */

static void set_for(unsigned shots, uint32_t counts)
{
	shots_left = shots;
	set_at = rdtsc();
	set = true;
	pit_shot(counts);
}

/* Whether the NMI of a 1 ms shot comes in. */
static bool tried(void)
{
	set_for(1, TRY_COUNTS);
	while (set && rdtsc() - set_at < TRY_TICKS)
		__asm__ volatile("pause");
	bool came = !set;
	shot_ticks = (rdtsc() - set_at) * (SHOT_COUNTS / TRY_COUNTS);
	watchdog_clear();
	return came;
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
	if (way != WAY_NONE)
		set_for(LIMIT_SHOTS, SHOT_COUNTS);
}

void watchdog_clear(void)
{
	if (way == WAY_NONE)
		return;
	set = false;
	late = true;
	pit_stop();
}

static void acknowledge(void)
{
	if (way == WAY_LINT0)
		pic_timer_acknowledge();
}

enum nmi_source watchdog_nmi(void)
{
	if (set && pit_shot_over()) {
		acknowledge();
		set = --shots_left > 0;
		if (set)
			pit_shot(SHOT_COUNTS);
		return set ? NMI_WATCHDOG_TICK : NMI_WATCHDOG_EXPIRED;
	}
	if (late && !set && (pit_shot_over() || rdtsc() - set_at < 2 * shot_ticks)) {
		late = false;
		acknowledge();
		return NMI_WATCHDOG_TICK;
	}
	return NMI_OTHER;
}
