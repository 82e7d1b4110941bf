/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_HPET_H
#define KERNEL_HPET_H

#include <stdbool.h>
#include <stdint.h>

/* Finds the timer by its ACPI table, maps it, turns its interrupts off and its
 * counter on. False: there is none that makes sense. */
bool hpet_start(void);

/* Counts a second, or 0 where there is no timer. */
uint64_t hpet_hz(void);
/* The low 32 bits of the counter; only where hpet_hz() is not 0. */
uint32_t hpet_count(void);

#endif
