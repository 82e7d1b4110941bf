/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/pic.h"

#include "kernel/cpu.h"

#define MASTER(a0) (uint16_t)(0x20 + (a0))
#define SLAVE(a0)  (uint16_t)(0xa0 + (a0))

#define ICW1         0x11 /* edges, cascaded, ICW4 follows */
#define ICW4         0x01 /* 8086 mode */
#define CASCADE_LINE 2
#define VECTORS      0x20 /* never used: interrupts stay off */
#define OCW2_EOI     0x20
#define OCW3_POLL    0x0c
#define TIMER_LINE   0

static void start(uint16_t command, uint16_t data, uint8_t vector, uint8_t cascade)
{
	outb(command, ICW1);
	outb(data, vector);
	outb(data, cascade);
	outb(data, ICW4);
	outb(data, 0xff);
}

void pic_start(void)
{
	start(MASTER(0), MASTER(1), VECTORS, 1 << CASCADE_LINE);
	start(SLAVE(0), SLAVE(1), VECTORS + 8, CASCADE_LINE);
}

void pic_timer_on(void)
{
	outb(MASTER(1), (uint8_t) ~(1 << TIMER_LINE));
}

void pic_timer_acknowledge(void)
{
	outb(MASTER(0), OCW3_POLL);
	inb(MASTER(0));
	outb(MASTER(0), OCW2_EOI);
}
