/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts are turned off where they come from, not just at the CPU: a masked
 * request still wakes what decodes it. What cannot be masked, NMI, stays on: it
 * is a lab's last way to ask a dead machine what it was doing.
 */
#include "kernel/cpu.h"
#include "kernel/hpet.h"
#include "kernel/ioapic.h"
#include "kernel/kernel.h"
#include "kernel/lapic.h"
#include "kernel/pic.h"
#include "kernel/pit.h"

#define CMOS_INDEX    0x70 /* bit 7 holds NMIs back */
#define CMOS_DATA     0x71
#define CMOS_STATUS_D 0x0d /* read-only, so the index may stay there */

void quiet_start(void)
{
	pic_start();
	pit_stop();
	hpet_start();
	if (lapic_start())
		ioapic_quiet();
	outb(CMOS_INDEX, CMOS_STATUS_D);
	inb(CMOS_DATA); /* each write of the index wants an access (RTC data sheets) */
}
