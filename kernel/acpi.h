/* SPDX-License-Identifier: BSD-2-Clause */
/* The few static ACPI tables that a machine is known by. Nothing of the firmware
 * runs, and nothing is believed that has a wrong checksum or length. */
#ifndef KERNEL_ACPI_H
#define KERNEL_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct acpi_header {
	char signature[4];
	uint32_t length; /* of the whole table */
	uint8_t revision, checksum;
	char oem[6], oem_table[8];
	uint32_t oem_revision, creator, creator_revision;
};
_Static_assert(sizeof(struct acpi_header) == 36, "ACPI 5.2.6");

/* Where a register is (ACPI 5.2.3.2). */
struct acpi_address {
	uint8_t space, bits, offset, access;
	uint32_t low, high; /* the address, at any alignment */
};
_Static_assert(sizeof(struct acpi_address) == 12, "ACPI 5.2.3.2");
enum acpi_space { ACPI_MEMORY, ACPI_PORT };

static inline uint64_t acpi_address(const struct acpi_address *a)
{
	return (uint64_t)a->high << 32 | a->low;
}

/* The Fixed ACPI Description Table as far as it is used (ACPI 5.2.9). */
struct acpi_fadt {
	struct acpi_header header;
	uint32_t facs, dsdt;
	uint8_t reserved, profile;
	uint16_t sci;
	uint32_t smi_command;
	uint8_t acpi_enable, acpi_disable, s4bios, pstate;
	uint32_t pm1a_event, pm1b_event, pm1a_control, pm1b_control, pm2_control, pm_timer;
	uint32_t gpe0, gpe1;
	uint8_t lengths[8];
	uint16_t c2_latency, c3_latency, flush_size, flush_stride;
	uint8_t duty_offset, duty_width, day_alarm, month_alarm, century;
	uint8_t boot_flags[2];
	uint8_t reserved2;
	uint32_t flags;
	struct acpi_address reset;
	uint8_t reset_value;
	uint8_t arm_flags[2], minor;
	uint32_t facs64[2], dsdt64[2];
	struct acpi_address events[2], control[2], pm2, timer, gpe[2];
	struct acpi_address sleep_control, sleep_status; /* of reduced hardware */
};
_Static_assert(offsetof(struct acpi_fadt, pm_timer) == 76, "ACPI 5.2.9");
_Static_assert(offsetof(struct acpi_fadt, flags) == 112, "ACPI 5.2.9");
_Static_assert(offsetof(struct acpi_fadt, timer) == 208, "ACPI 5.2.9");
_Static_assert(offsetof(struct acpi_fadt, sleep_control) == 244, "ACPI 5.2.9");

#define FADT_RESET_SUPPORTED  (1u << 10)
#define FADT_TIMER_32_BITS    (1u << 8)
#define FADT_HARDWARE_REDUCED (1u << 20)

struct acpi_table {
	uint64_t address; /* physical, for physical_read() */
	uint32_t length;
};

/* The first sound table of that signature ("APIC", "HPET"); false: there is none.
 * Searches for the root pointer on the first call. */
bool acpi_find(const char *signature, struct acpi_table *table);

/* All members that this firmware's table is too short for are 0. */
bool acpi_fadt(struct acpi_fadt *fadt);
bool acpi_dsdt(const struct acpi_fadt *fadt, struct acpi_table *table);

#endif
