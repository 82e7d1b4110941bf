/* SPDX-License-Identifier: BSD-2-Clause */
/* The local APIC, in whichever mode the firmware left it (SDM volume 3, chapter
 * "APIC"). */
#ifndef KERNEL_LAPIC_H
#define KERNEL_LAPIC_H

#include <stdbool.h>
#include <stdint.h>

enum lapic_register {
	LAPIC_ID = 0x020,
	LAPIC_VERSION = 0x030,
	LAPIC_EOI = 0x0b0,
	LAPIC_SPURIOUS = 0x0f0,
	LAPIC_CMCI = 0x2f0,
	LAPIC_COMMAND = 0x300,
	LAPIC_TARGET = 0x310, /* in x2APIC mode the high half of LAPIC_COMMAND */
	LAPIC_TIMER = 0x320,
	LAPIC_THERMAL = 0x330,
	LAPIC_COUNTER = 0x340,
	LAPIC_LINT0 = 0x350,
	LAPIC_LINT1 = 0x360,
	LAPIC_ERROR = 0x370,
	LAPIC_TIMER_COUNT = 0x380,
	LAPIC_TIMER_DIVIDE = 0x3e0
};

#define LAPIC_DIVIDE_BY_1  0x0bu
#define LAPIC_MASKED       (1u << 16)
#define LAPIC_PERIODIC     (1u << 17) /* in LAPIC_TIMER */
#define LAPIC_DELIVER_NMI  (4u << 8)
#define LAPIC_SOFTWARE_ON  (1u << 8) /* in LAPIC_SPURIOUS */
#define LAPIC_SPURIOUS_VEC 0xffu

/* Finds and maps it, turns it on, masks everything but LINT1, which stays NMI.
 * False: the CPU has none, or the firmware turned it off. */
bool lapic_start(void);
bool lapic_present(void);

uint32_t lapic_read(enum lapic_register reg);
void lapic_write(enum lapic_register reg, uint32_t value);

/* On another CPU: its own one, brought into the mode of the first CPU's, masked, LINT1
 * too: a lab's NMI is the first CPU's to answer. */
void lapic_join(void);

/* This CPU's, as interrupt messages name it. */
uint32_t lapic_id(void);

/* Messages to other CPUs, by the APIC's name for them: a fixed interrupt is its vector
 * alone. False: none of that name can be reached, or the one before did not get away. */
#define LAPIC_MESSAGE_NMI     (4u << 8)
#define LAPIC_MESSAGE_INIT    (5u << 8)
#define LAPIC_MESSAGE_STARTUP (6u << 8) /* and the number of the page to start in */
bool lapic_send(uint32_t id, uint32_t message);

#endif
