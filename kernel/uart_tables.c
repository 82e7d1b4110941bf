/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/acpi.h"
#include "kernel/arch.h"
#include "kernel/uart.h"
#include "lib/string.h"

/* Kinds of debug port (DBG2, table 3): 16550 and its subset, and one whose address
 * structure says how it is reached. SPCR, since its second revision, counts the same. */
static bool is_16550(unsigned kind)
{
	return kind == 0x00 || kind == 0x01 || kind == 0x12;
}

/* The access size may be left open, or be smaller than the distance of two registers. */
static bool place_at(const struct acpi_address *a, struct uart_place *place)
{
	unsigned bytes = a->bits / 8u, access = a->access;

	bytes = bytes == 2 || bytes == 4 ? bytes : 1;
	*place = (struct uart_place){
		.address = acpi_address(a),
		.memory = a->space == ACPI_MEMORY,
		.stride = (uint8_t)(a->space == ACPI_MEMORY ? bytes : 1),
		.width = (uint8_t)(a->space != ACPI_MEMORY      ? 1
				   : access >= 1 && access <= 3 ? 1u << (access - 1)
								: bytes),
	};
	return place->address && a->space <= ACPI_PORT;
}

/* Serial Port Console Redirection Table, as far as it is used. */
struct spcr {
	struct acpi_header header;
	uint8_t kind, reserved[3];
	struct acpi_address base;
	uint8_t interrupt[6];
	uint8_t baud; /* a code */
	uint8_t rest[3];
};
_Static_assert(offsetof(struct spcr, baud) == 58, "SPCR, table 2");

static uint32_t baud_of(uint8_t code)
{
	switch (code) {
	case 3:
		return 9600;
	case 4:
		return 19200;
	case 6:
		return 57600;
	case 7:
		return 115200;
	default:
		return 0;
	}
}

static bool in_spcr(struct uart_place *place)
{
	struct acpi_table table;
	struct spcr spcr;

	if (!acpi_find("SPCR", &table) || table.length < sizeof spcr ||
	    !physical_read(&spcr, table.address, sizeof spcr))
		return false;
	if (!is_16550(spcr.kind) || !place_at(&spcr.base, place))
		return false;
	place->baud = baud_of(spcr.baud);
	return true;
}

/* Debug Port Table 2: a header, then devices one behind the other. */
struct dbg2 {
	struct acpi_header header;
	uint32_t first, count;
};

struct dbg2_device {
	uint8_t revision;
	uint8_t length[2];
	uint8_t addresses;
	uint8_t names[8];
	uint16_t port, kind;
	uint16_t reserved, base;
	uint16_t sizes;
};
_Static_assert(offsetof(struct dbg2_device, base) == 18, "DBG2, table 2");

#define DBG2_SERIAL      0x8000
#define DBG2_DEVICES_MAX 16u

static bool device_place(uint64_t address, const struct dbg2_device *device,
			 struct uart_place *place)
{
	struct acpi_address base;

	return device->port == DBG2_SERIAL && is_16550(device->kind) && device->addresses &&
	       physical_read(&base, address + device->base, sizeof base) && place_at(&base, place);
}

static bool in_dbg2(unsigned index, struct uart_place *place)
{
	struct acpi_table table;
	struct dbg2 dbg2;
	struct dbg2_device device;

	if (!acpi_find("DBG2", &table) || table.length < sizeof dbg2 ||
	    !physical_read(&dbg2, table.address, sizeof dbg2))
		return false;
	for (uint32_t at = dbg2.first, i = 0; i < dbg2.count && i < DBG2_DEVICES_MAX; i++) {
		uint32_t length;

		if (at > table.length || table.length - at < sizeof device ||
		    !physical_read(&device, table.address + at, sizeof device))
			return false;
		if (device_place(table.address + at, &device, place) && index-- == 0)
			return true;
		length = device.length[0] | (uint32_t)device.length[1] << 8;
		if (length < sizeof device)
			return false;
		at += length;
	}
	return false;
}

bool uart_in_tables(unsigned index, struct uart_place *place)
{
	if (in_spcr(place)) {
		if (index == 0)
			return true;
		index--;
	}
	return in_dbg2(index, place);
}
