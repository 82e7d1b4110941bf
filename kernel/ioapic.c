/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/ioapic.h"

#include "kernel/acpi.h"
#include "kernel/arch.h"
#include "kernel/kernel.h"
#include "kernel/lapic.h"

/* The members of all kinds of entry that are used, at their offsets. */
struct madt_entry {
	uint8_t kind, length;
	uint8_t bytes[2];
	uint32_t words[3];
};

enum madt_kind { MADT_LAPIC = 0, MADT_IOAPIC = 1, MADT_OVERRIDE = 2, MADT_X2APIC = 9 };

#define MADT_ENTRIES   44u /* offset of the first */
#define MADT_ENABLED   1u
#define LAPIC_ENTRY_ID 1 /* in bytes[] */
#define OVERRIDE_IRQ   1 /* in bytes[]: the ISA interrupt that goes elsewhere */
#define TIMER_IRQ      0

/* Reads the entry at *at and steps over it; false after the last. */
static bool entry_next(const struct acpi_table *madt, uint32_t *at, struct madt_entry *entry)
{
	*entry = (struct madt_entry){ 0 };
	if (*at + 2 > madt->length || !physical_read(entry, madt->address + *at, 2) ||
	    entry->length < 2 || entry->length > madt->length - *at)
		return false;
	size_t n = entry->length < sizeof *entry ? entry->length : sizeof *entry;
	bool read = physical_read(entry, madt->address + *at, n);
	*at += entry->length;
	return read;
}

/* The local APIC that the entry names; false where it is no CPU that can be used. */
static bool cpu_of(const struct madt_entry *entry, uint32_t *id)
{
	bool wide = entry->kind == MADT_X2APIC;
	if (!wide && entry->kind != MADT_LAPIC)
		return false;
	*id = wide ? entry->words[0] : entry->bytes[LAPIC_ENTRY_ID];
	return entry->words[wide ? 1 : 0] & MADT_ENABLED;
}

unsigned madt_cpus(uint32_t *id, unsigned max)
{
	struct acpi_table madt;
	struct madt_entry entry;
	unsigned cpus = 0;
	uint32_t this;
	if (!acpi_find("APIC", &madt))
		return 0;
	for (uint32_t at = MADT_ENTRIES; entry_next(&madt, &at, &entry);) {
		if (!cpu_of(&entry, &this))
			continue;
		if (cpus < max)
			id[cpus] = this;
		cpus++;
	}
	return cpus;
}

#define IOAPIC_SELECT        0 /* indices of 32-bit words */
#define IOAPIC_WINDOW        4
#define IOAPIC_BYTES         32
#define IOAPIC_VERSION       1 /* register numbers */
#define IOAPIC_REDIRECT(pin) (0x10 + 2 * (pin))
#define IOAPIC_MASKED        (1u << 16)

static uint32_t ioapic_read(volatile uint32_t *ioapic, uint32_t reg)
{
	ioapic[IOAPIC_SELECT] = reg;
	return ioapic[IOAPIC_WINDOW];
}

static void ioapic_write(volatile uint32_t *ioapic, uint32_t reg, uint32_t value)
{
	ioapic[IOAPIC_SELECT] = reg;
	ioapic[IOAPIC_WINDOW] = value;
}

static void mask_lines(volatile uint32_t *ioapic)
{
	uint32_t last = ioapic_read(ioapic, IOAPIC_VERSION) >> 16 & 0xff;
	for (uint32_t line = 0; line <= last; line++)
		ioapic_write(ioapic, IOAPIC_REDIRECT(line), IOAPIC_MASKED);
}

void ioapic_quiet(void)
{
	struct acpi_table madt;
	struct madt_entry entry;
	if (!acpi_find("APIC", &madt))
		return;
	for (uint32_t at = MADT_ENTRIES; entry_next(&madt, &at, &entry);) {
		if (entry.kind != MADT_IOAPIC)
			continue;
		volatile uint32_t *ioapic = device_map(entry.words[0], IOAPIC_BYTES, PAGE_UNCACHED);
		if (ioapic)
			mask_lines(ioapic);
	}
}

/* Where the timer's line ends among all I/O APICs' lines. */
static uint32_t timer_line(const struct acpi_table *madt)
{
	struct madt_entry entry;
	for (uint32_t at = MADT_ENTRIES; entry_next(madt, &at, &entry);)
		if (entry.kind == MADT_OVERRIDE && entry.bytes[OVERRIDE_IRQ] == TIMER_IRQ)
			return entry.words[0];
	return TIMER_IRQ;
}

static bool line_to_nmi(const struct madt_entry *entry, uint32_t line)
{
	uint32_t first = entry->words[1];
	volatile uint32_t *ioapic = device_map(entry->words[0], IOAPIC_BYTES, PAGE_UNCACHED);
	if (!ioapic || line < first)
		return false;
	uint32_t last = ioapic_read(ioapic, IOAPIC_VERSION) >> 16 & 0xff;
	if (line - first > last)
		return false;
	ioapic_write(ioapic, IOAPIC_REDIRECT(line - first) + 1, lapic_id() << 24);
	ioapic_write(ioapic, IOAPIC_REDIRECT(line - first), LAPIC_DELIVER_NMI);
	return true;
}

bool ioapic_timer_nmi(void)
{
	struct acpi_table madt;
	struct madt_entry entry;
	if (!acpi_find("APIC", &madt))
		return false;
	uint32_t line = timer_line(&madt);
	for (uint32_t at = MADT_ENTRIES; entry_next(&madt, &at, &entry);)
		if (entry.kind == MADT_IOAPIC && line_to_nmi(&entry, line))
			return true;
	return false;
}
