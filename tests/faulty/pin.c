/* SPDX-License-Identifier: BSD-2-Clause */
/* Pinning with a fault that exp=gup-torture must find: pinfault=NAME. */
#include "kernel/smp.h"
#include "lib/option.h"
#include "lib/string.h"

static int chosen; /* enum pin_fault */

#define PIN_FAULT chosen

/* Half a millisecond, in which another CPU gets far: longer than one that sleeps takes to
 * wake. */
#define WINDOW_US 500
#define widen(fault)                                                                               \
	for (uint64_t end = clock_deadline(WINDOW_US); chosen == (fault) && rdtsc() < end;)        \
	continue

#include "kernel/pin.c"

static bool set_pinfault(const char *value)
{
	static const char *const names[] = { [INTERRUPTS_ON] = "interrupts",
					     [NO_REFERENCE] = "reference",
					     [NOT_AWAITED] = "shootdown" };

	for (int fault = INTERRUPTS_ON; fault <= NOT_AWAITED; fault++)
		if (strcmp(value, names[fault]) == 0)
			chosen = fault;
	return chosen != NO_FAULT;
}
OPTION(pinfault, "interrupts|reference|shootdown", "a fault in pinning, for tests", set_pinfault);
