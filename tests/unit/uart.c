/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/uart.h"

#include "kernel/acpi.h"
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <string.h>

/* ------------------------------------------------------------ two tables for acpi_find() */

#define SPCR_AT 0x7fe1000u
#define DBG2_AT 0x7fe2000u

static uint8_t spcr[80], dbg2[256];
static uint32_t spcr_length, dbg2_length;

bool acpi_find(const char *signature, struct acpi_table *table)
{
	bool console = memcmp(signature, "SPCR", 4) == 0;

	unit_memory[0] = (struct unit_memory){ SPCR_AT, spcr, sizeof spcr };
	unit_memory[1] = (struct unit_memory){ DBG2_AT, dbg2, sizeof dbg2 };
	*table = console ? (struct acpi_table){ SPCR_AT, spcr_length }
			 : (struct acpi_table){ DBG2_AT, dbg2_length };
	return table->length != 0;
}

static void spcr_make(uint8_t kind, struct acpi_address base, uint8_t baud)
{
	spcr_length = sizeof spcr;
	memset(spcr, 0, sizeof spcr);
	spcr[36] = kind;
	memcpy(spcr + 40, &base, sizeof base);
	spcr[58] = baud;
}

/* Each device is its 22 bytes, then its address. */
static void dbg2_add(uint16_t port, uint16_t kind, struct acpi_address base)
{
	uint32_t first = 44, count;
	uint8_t *device;

	dbg2_length = dbg2_length ? dbg2_length : first;
	device = dbg2 + dbg2_length;
	memset(device, 0, 34);
	device[1] = 34;
	device[3] = 1;
	memcpy(device + 12, &port, 2);
	memcpy(device + 14, &kind, 2);
	device[18] = 22;
	memcpy(device + 22, &base, sizeof base);
	dbg2_length += 34;
	memcpy(&count, dbg2 + 40, 4);
	count++;
	memcpy(dbg2 + 36, &first, 4);
	memcpy(dbg2 + 40, &count, 4);
}

static void clear(void)
{
	spcr_length = dbg2_length = 0;
	memset(dbg2, 0, sizeof dbg2);
}

/* ------------------------------------------------------------ what is found in them */

TEST(uart_of_the_firmwares_console)
{
	struct uart_place place;

	clear();
	CHECK(!uart_in_tables(0, &place));
	spcr_make(0, (struct acpi_address){ ACPI_PORT, 8, 0, 1, 0x2f8, 0 }, 3);
	CHECK(uart_in_tables(0, &place));
	CHECK(!place.memory);
	CHECK_NUMBER(place.address, 0x2f8);
	CHECK_NUMBER(place.baud, 9600);
	CHECK(!uart_in_tables(1, &place));
	spcr_make(0x12, (struct acpi_address){ ACPI_MEMORY, 32, 0, 3, 0xfe034000, 1 }, 0);
	CHECK(uart_in_tables(0, &place));
	CHECK(place.memory);
	CHECK_NUMBER(place.address, 0x1fe034000);
	CHECK_NUMBER(place.stride, 4);
	CHECK_NUMBER(place.width, 4);
	CHECK_NUMBER(place.baud, 0);
}

TEST(uart_with_registers_further_apart_than_they_are_wide)
{
	struct uart_place place;

	clear();
	spcr_make(1, (struct acpi_address){ ACPI_MEMORY, 32, 0, 1, 0xfedc9000, 0 }, 7);
	CHECK(uart_in_tables(0, &place));
	CHECK_NUMBER(place.stride, 4);
	CHECK_NUMBER(place.width, 1);
	spcr_make(1, (struct acpi_address){ ACPI_MEMORY, 8, 0, 0, 0xfedc9000, 0 }, 7);
	CHECK(uart_in_tables(0, &place));
	CHECK_NUMBER(place.stride, 1);
	CHECK_NUMBER(place.width, 1);
}

TEST(uart_tables_that_name_none)
{
	struct uart_place place;

	clear();
	spcr_make(3, (struct acpi_address){ ACPI_MEMORY, 32, 0, 3, 0x9000000, 0 }, 7); /* PL011 */
	CHECK(!uart_in_tables(0, &place));
	spcr_make(0, (struct acpi_address){ ACPI_PORT, 8, 0, 1, 0, 0 }, 7);
	CHECK(!uart_in_tables(0, &place));
	spcr_make(0, (struct acpi_address){ ACPI_PORT, 8, 0, 1, 0x3f8, 0 }, 7);
	spcr_length = 50;
	CHECK(!uart_in_tables(0, &place));
}

TEST(uart_of_the_debug_ports)
{
	struct uart_place place;

	clear();
	dbg2_add(0x8003, 0, (struct acpi_address){ ACPI_MEMORY, 8, 0, 1, 0x1000, 0 }); /* network */
	dbg2_add(0x8000, 0, (struct acpi_address){ ACPI_PORT, 8, 0, 1, 0x3e8, 0 });
	dbg2_add(0x8000, 1, (struct acpi_address){ ACPI_MEMORY, 16, 0, 2, 0xfe000000, 0 });
	CHECK(uart_in_tables(0, &place));
	CHECK_NUMBER(place.address, 0x3e8);
	CHECK(uart_in_tables(1, &place));
	CHECK_NUMBER(place.stride, 2);
	CHECK(!uart_in_tables(2, &place));
	spcr_make(0, (struct acpi_address){ ACPI_PORT, 8, 0, 1, 0x2f8, 0 }, 3);
	CHECK(uart_in_tables(1, &place));
	CHECK_NUMBER(place.address, 0x3e8);
	dbg2_length -= 20; /* the last one is cut off */
	CHECK(!uart_in_tables(2, &place));
	dbg2[44 + 1] = 3; /* a length that leads nowhere */
	CHECK(!uart_in_tables(1, &place));
}

/* ------------------------------------------------------------ one in memory */

static uint32_t registers[8]; /* plain memory: its scratch register holds what is written */

void *device_map(uint64_t physical, size_t bytes, uint32_t flags)
{
	return physical == 0xfe034000 && bytes <= sizeof registers && flags == PAGE_UNCACHED
		       ? registers
		       : NULL;
}

uint64_t clock_deadline(uint64_t us)
{
	return rdtsc() + us;
}

/* Its bytes from one register to the next, and of an access. */
static bool find(uint64_t address, uint8_t stride, uint8_t width, uint8_t status, struct uart *u)
{
	struct uart_place place = {
		.address = address, .memory = true, .stride = stride, .width = width, .baud = 9600
	};

	memset(registers, 0xee, sizeof registers);
	((uint8_t *)registers)[5 * stride] = status;
	return uart_find(&place, u);
}

TEST(uart_in_memory_with_registers_of_all_widths)
{
	static const uint8_t widths[][2] = { { 1, 1 }, { 2, 2 }, { 4, 4 }, { 4, 1 } };
	const uint8_t *at = (const uint8_t *)registers;

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		uint8_t stride = widths[i][0], width = widths[i][1];
		struct uart u;

		CHECK(find(0xfe034000, stride, width, 0x60, &u));
		CHECK(uart_open(&u));
		CHECK_NUMBER(at[0], 12);         /* the divisor of 9600 baud */
		CHECK_NUMBER(at[3 * stride], 3); /* 8n1 */
		CHECK_NUMBER(at[4 * stride], 3); /* DTR, RTS */
		uart_send(&u, 'x');
		CHECK_NUMBER(at[0], 'x');
		if (width < stride)
			CHECK_NUMBER(at[1], 0xee); /* and nothing beside it */
	}
}

TEST(uart_that_is_absent_or_dead)
{
	struct uart u;

	CHECK(!find(0xfe034000, 4, 4, 0xff, &u)); /* an empty bus */
	CHECK(!find(0x12345000, 4, 4, 0x60, &u)); /* cannot be mapped */
	CHECK(find(0xfe034000, 4, 4, 0x40, &u));
	CHECK(!uart_open(&u)); /* takes no character, ever */
	CHECK(!uart_ready(&u, 1));
	registers[5] = 0x60;
	CHECK(uart_ready(&u, 0));
}
