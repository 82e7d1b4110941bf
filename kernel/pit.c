/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/pit.h"

#include "kernel/cpu.h"

#define PIT_CHANNEL(n) (uint16_t)(0x40 + (n))
#define PIT_COMMAND    0x43

#define COMMAND_CHANNEL(n) (uint8_t)((n) << 6)
#define COMMAND_LATCH      0x00
#define COMMAND_TWO_BYTES  0x30
#define COMMAND_ONE_SHOT   0x00 /* mode 0: low until the count is over */
#define COMMAND_RATE       0x04 /* mode 2: counts down by one, again and again */

#define READ_BACK_STATUS0 0xe2
#define STATUS_OUTPUT     0x80

#define SYSTEM_CONTROL  0x61
#define CONTROL_GATE2   0x01
#define CONTROL_SPEAKER 0x02

void pit_stop(void)
{
	/* mode 0 waits for its count, which never comes */
	outb(PIT_COMMAND, COMMAND_CHANNEL(0) | COMMAND_TWO_BYTES | COMMAND_ONE_SHOT);
}

void pit_shot(uint32_t counts)
{
	pit_stop();
	outb(PIT_CHANNEL(0), (uint8_t)counts);
	outb(PIT_CHANNEL(0), (uint8_t)(counts >> 8));
}

bool pit_shot_over(void)
{
	outb(PIT_COMMAND, READ_BACK_STATUS0);
	return inb(PIT_CHANNEL(0)) & STATUS_OUTPUT;
}

void pit_count_start(void)
{
	outb(SYSTEM_CONTROL, (inb(SYSTEM_CONTROL) & ~CONTROL_SPEAKER & 0x0f) | CONTROL_GATE2);
	outb(PIT_COMMAND, COMMAND_CHANNEL(2) | COMMAND_TWO_BYTES | COMMAND_RATE);
	outb(PIT_CHANNEL(2), 0);
	outb(PIT_CHANNEL(2), 0);
}

uint32_t pit_count(void)
{
	outb(PIT_COMMAND, COMMAND_CHANNEL(2) | COMMAND_LATCH);
	uint32_t low = inb(PIT_CHANNEL(2));
	uint32_t left = (uint32_t)inb(PIT_CHANNEL(2)) << 8 | low;
	return (0x10000 - left) & 0xffff;
}
