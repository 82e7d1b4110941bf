/* SPDX-License-Identifier: BSD-2-Clause */
/* The 16550 and its relatives, polled. */
#include "kernel/serial.h"

#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/uart.h"
#include "lib/option.h"
#include "lib/string.h"

enum uart_register {
	UART_DATA = 0, /* with DLAB: low byte of the divisor */
	UART_INTERRUPTS = 1,
	UART_FIFO = 2,
	UART_LINE = 3,
	UART_MODEM = 4,
	UART_STATUS = 5,
	UART_MODEM_STATUS = 6,
	UART_SCRATCH = 7
};

#define LINE_8N1         0x03
#define LINE_DLAB        0x80
#define FIFO_ON          0x07 /* and both cleared */
#define MODEM_DTR_RTS    0x03
#define MODEM_LOOP       0x10
#define STATUS_THR_EMPTY 0x20

#define BAUD_BASE 115200u /* of the usual 1.8432 MHz crystal */

/* Reads of the status register; one takes about a microsecond on hardware. An idle
 * port must take the first character at once, a busy one may be held up by whatever
 * an emulator's other end is doing. */
#define WAIT_FIRST 20000u
#define WAIT_BUSY  4000000u

static enum { COM_AUTO, COM_NONE, COM_GIVEN } com_kind = COM_AUTO;
static struct uart_place com_place;

static struct {
	struct uart_place place;
	volatile uint8_t *registers; /* of a place in memory */
	bool present;
} uart;

static uint8_t uart_read(enum uart_register reg)
{
	volatile uint8_t *at = uart.registers + reg * uart.place.stride;

	if (!uart.place.memory)
		return inb((uint16_t)(uart.place.address + reg));
	if (uart.place.width == 4)
		return (uint8_t) * (volatile uint32_t *)at;
	return uart.place.width == 2 ? (uint8_t) * (volatile uint16_t *)at : *at;
}

static void uart_write(enum uart_register reg, uint8_t value)
{
	volatile uint8_t *at = uart.registers + reg * uart.place.stride;

	if (!uart.place.memory)
		outb((uint16_t)(uart.place.address + reg), value);
	else if (uart.place.width == 4)
		*(volatile uint32_t *)at = value;
	else if (uart.place.width == 2)
		*(volatile uint16_t *)at = value;
	else
		*at = value;
}

/* ------------------------------------------------------------ com= */

/* "ADDRESS[,BAUD]" */
static bool set_address(const char *value, struct uart_place place)
{
	char address[24];
	const char *comma = strchr(value, ',');
	size_t length = comma ? (size_t)(comma - value) : strlen(value);
	unsigned long long number, baud = place.baud;

	if (length >= sizeof address)
		return false;
	memcpy(address, value, length);
	address[length] = 0;
	if (!option_number(address, &number) || number == 0 || (!place.memory && number > 0xfff8))
		return false;
	if (comma &&
	    (!option_number(comma + 1, &baud) || baud == 0 || baud > BAUD_BASE || BAUD_BASE % baud))
		return false;
	place.address = number;
	place.baud = (uint32_t)baud;
	com_place = place;
	com_kind = COM_GIVEN;
	return true;
}

static bool set_com(const char *value)
{
	static const struct {
		const char *prefix;
		uint8_t bytes;
	} memory[] = { { "mmio,", 1 }, { "mmio8,", 1 }, { "mmio16,", 2 }, { "mmio32,", 4 } };

	if (!strcmp(value, "auto") || !strcmp(value, "none")) {
		com_kind = value[0] == 'a' ? COM_AUTO : COM_NONE;
		return true;
	}
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
		size_t n = strlen(memory[i].prefix);

		if (!strncmp(value, memory[i].prefix, n))
			return set_address(value + n,
					   (struct uart_place){ .memory = true,
								.stride = memory[i].bytes,
								.width = memory[i].bytes });
	}
	return set_address(value,
			   (struct uart_place){ .stride = 1, .width = 1, .baud = BAUD_BASE });
}
OPTION(com, "auto|none|PORT[,BAUD]|mmio8|16|32,ADDR[,BAUD]", "serial port of the record", set_com);

/* ------------------------------------------------------------ opening */

static bool scratch_holds(uint8_t value)
{
	uart_write(UART_SCRATCH, value);
	return uart_read(UART_SCRATCH) == value;
}

/* Status 0xff is an empty bus. Then either the scratch register works, or (the 8250
 * has none) the modem lines come back in loopback: OUT2 and RTS as DCD and CTS. */
static bool uart_answers(void)
{
	if (uart_read(UART_STATUS) == 0xff)
		return false;
	if (scratch_holds(0x5a) && scratch_holds(0xa5))
		return true;
	uint8_t modem = uart_read(UART_MODEM);
	uart_write(UART_MODEM, MODEM_LOOP | 0x0a);
	uint8_t lines = uart_read(UART_MODEM_STATUS) & 0xf0;
	uart_write(UART_MODEM, modem);
	return lines == 0x90;
}

static bool uart_ready(uint32_t reads)
{
	while (reads--)
		if (uart_read(UART_STATUS) & STATUS_THR_EMPTY)
			return true;
	return false;
}

static bool uart_open(void)
{
	uint32_t divisor = uart.place.baud ? BAUD_BASE / uart.place.baud : 0;

	if (!uart_answers())
		return false;
	uart_write(UART_INTERRUPTS, 0);
	if (divisor) {
		uart_write(UART_LINE, LINE_DLAB | LINE_8N1);
		uart_write(UART_DATA, (uint8_t)divisor);
		uart_write(UART_INTERRUPTS, (uint8_t)(divisor >> 8));
	}
	uart_write(UART_LINE, LINE_8N1);
	uart_write(UART_FIFO, FIFO_ON);
	uart_write(UART_MODEM, MODEM_DTR_RTS);
	return uart_ready(WAIT_FIRST);
}

static bool uart_try(const struct uart_place *place)
{
	uart.place = *place;
	if (place->memory) {
		uart.registers = device_map(place->address, 8u * place->stride, PAGE_UNCACHED);
		if (!uart.registers)
			return false;
	}
	uart.present = uart_open();
	return uart.present;
}

static void try_legacy(void)
{
	static const uint16_t ports[] = { 0x3f8, 0x2f8, 0x3e8, 0x2e8 };

	for (size_t i = 0; i < sizeof ports / sizeof *ports && !uart.present; i++)
		uart_try(&(struct uart_place){
			.address = ports[i], .stride = 1, .width = 1, .baud = BAUD_BASE });
}

/* The firmware's own console comes first, then the ports that a PC may have, then those
 * that have to be looked for. */
void serial_early(void)
{
	struct uart_place place;

	if (com_kind == COM_GIVEN && !com_place.memory)
		uart_try(&com_place);
	if (com_kind != COM_AUTO)
		return;
	bool told = uart_in_tables(0, &place);
	if (told && place.memory)
		return; /* serial_start() can reach it */
	if (!told || !uart_try(&place))
		try_legacy();
}

void serial_start(void)
{
	struct uart_place place;

	if (com_kind == COM_GIVEN && com_place.memory)
		uart_try(&com_place);
	if (com_kind != COM_AUTO)
		return;
	for (unsigned i = 0; !uart.present && uart_in_tables(i, &place); i++)
		uart_try(&place);
	if (!uart.present)
		try_legacy();
	for (unsigned i = 0; !uart.present && uart_on_pci(i, &place); i++)
		uart_try(&place);
}

static void uart_put(char c)
{
	if (!uart.present)
		return;
	uart.present = uart_ready(WAIT_BUSY);
	if (uart.present)
		uart_write(UART_DATA, (uint8_t)c);
}

void serial_write_line(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		uart_put(text[i]);
	uart_put('\r');
	uart_put('\n');
}
