/* SPDX-License-Identifier: BSD-2-Clause */
/* What the firmware's table of interrupt controllers (ACPI MADT, 5.2.12) is good for
 * here: the way of the timer's line through an I/O APIC, and the number of CPUs. */
#ifndef KERNEL_IOAPIC_H
#define KERNEL_IOAPIC_H

#include <stdbool.h>
#include <stdint.h>

/* Has the I/O APIC send this CPU an NMI at each edge of the PIT's output. False:
 * there is no I/O APIC with the timer's line. */
bool ioapic_timer_nmi(void);

/* Masks the lines of every I/O APIC, whatever the firmware left them at. */
void ioapic_quiet(void);

/* CPUs that the firmware lists as usable, or 0 where it has no list. Of the first `max`
 * their local APICs' names go to id[]. */
unsigned madt_cpus(uint32_t *id, unsigned max);

#endif
