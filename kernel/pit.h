/* SPDX-License-Identifier: BSD-2-Clause */
/* The 8254 timer: channel 2 is read as a clock, channel 0 gives the watchdog's
 * one shot. */
#ifndef KERNEL_PIT_H
#define KERNEL_PIT_H

#include <stdbool.h>
#include <stdint.h>

#define PIT_HZ 1193182u

/* Channel 0 stands still with its output low, and interrupts no more. */
void pit_stop(void);

/* Channel 0's output goes high once, after so many counts (1 to 65536). */
void pit_shot(uint32_t counts);
bool pit_shot_over(void);

/* Channel 2 runs, the loudspeaker is off. */
void pit_count_start(void);
/* Its 16 bits, made to count upwards. */
uint32_t pit_count(void);

#endif
