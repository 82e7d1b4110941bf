/* SPDX-License-Identifier: BSD-2-Clause */
/* IA-PC HPET specification 1.0a, section 2.3. */
#include "kernel/hpet.h"

#include "kernel/acpi.h"
#include "kernel/arch.h"
#include "kernel/kernel.h"

/* Indices of 32-bit words. */
#define HPET_CAPABILITIES    0
#define HPET_PERIOD          1 /* femtoseconds a count */
#define HPET_CONFIGURATION   4
#define HPET_COUNTER         60
#define HPET_TIMER(n)        (64 + 8 * (n))
#define HPET_BYTES           1024
#define HPET_PERIOD_MAX      100000000u
#define CONFIGURATION_RUN    (1u << 0)
#define CONFIGURATION_LEGACY (1u << 1)
#define TIMER_INTERRUPT      (1u << 2)

static volatile uint32_t *hpet;
static uint64_t hz;

struct hpet_table {
	struct acpi_header header;
	uint32_t id;
	struct acpi_address base;
};

static bool period_makes_sense(uint32_t period)
{
	return period > 0 && period <= HPET_PERIOD_MAX;
}

static void interrupts_off(void)
{
	uint32_t timers = (hpet[HPET_CAPABILITIES] >> 8 & 31) + 1;
	for (uint32_t i = 0; i < timers && HPET_TIMER(i) < HPET_BYTES / 4; i++)
		hpet[HPET_TIMER(i)] &= ~TIMER_INTERRUPT;
	hpet[HPET_CONFIGURATION] =
		(hpet[HPET_CONFIGURATION] & ~CONFIGURATION_LEGACY) | CONFIGURATION_RUN;
}

bool hpet_start(void)
{
	struct acpi_table table;
	struct hpet_table found;
	if (!acpi_find("HPET", &table) || table.length < sizeof found ||
	    !physical_read(&found, table.address, sizeof found) ||
	    found.base.space != ACPI_MEMORY || !acpi_address(&found.base))
		return false;
	hpet = device_map(acpi_address(&found.base), HPET_BYTES, PAGE_UNCACHED);
	if (!hpet || !period_makes_sense(hpet[HPET_PERIOD]))
		return false;
	hz = 1000000000000000u / hpet[HPET_PERIOD];
	interrupts_off();
	return true;
}

uint64_t hpet_hz(void)
{
	return hz;
}

uint32_t hpet_count(void)
{
	return hpet[HPET_COUNTER];
}
