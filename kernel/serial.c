/* SPDX-License-Identifier: BSD-2-Clause */
/* The 16550 and its relatives, polled. */
#include "kernel/serial.h"

#include "kernel/cpu.h"
#include "kernel/kernel.h"
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
#define WAIT_FIRST 100000u
#define WAIT_BUSY  4000000u

static enum { COM_AUTO, COM_NONE, COM_PORT, COM_MMIO32 } com_kind = COM_AUTO;
static uint64_t com_address;
static uint32_t com_baud = BAUD_BASE; /* 0: as the firmware left it */

static struct {
	uint16_t port;
	volatile uint32_t *registers; /* a register every 4 bytes; else NULL */
	bool present;
} uart;

static uint8_t uart_read(enum uart_register reg)
{
	return uart.registers ? (uint8_t)uart.registers[reg] : inb(uart.port + reg);
}

static void uart_write(enum uart_register reg, uint8_t value)
{
	if (uart.registers)
		uart.registers[reg] = value;
	else
		outb(uart.port + reg, value);
}

/* "ADDRESS[,BAUD]" */
static bool set_address(const char *value)
{
	char address[24];
	const char *comma = strchr(value, ',');
	size_t length = comma ? (size_t)(comma - value) : strlen(value);
	unsigned long long number, baud = com_baud;
	if (length >= sizeof address)
		return false;
	memcpy(address, value, length);
	address[length] = 0;
	if (!option_number(address, &number) || number == 0)
		return false;
	if (comma &&
	    (!option_number(comma + 1, &baud) || baud == 0 || baud > BAUD_BASE || BAUD_BASE % baud))
		return false;
	com_address = number;
	com_baud = (uint32_t)baud;
	return true;
}

static bool set_com(const char *value)
{
	if (!strcmp(value, "auto")) {
		com_kind = COM_AUTO;
		return true;
	}
	if (!strcmp(value, "none")) {
		com_kind = COM_NONE;
		return true;
	}
	if (!strncmp(value, "mmio32,", 7)) {
		if (!set_address(value + 7))
			return false;
		com_kind = COM_MMIO32;
		com_baud = strchr(value + 7, ',') ? com_baud : 0;
		return true;
	}
	if (!set_address(value) || com_address > 0xfff8)
		return false;
	com_kind = COM_PORT;
	return true;
}
OPTION(com, "auto|none|PORT[,BAUD]|mmio32,ADDRESS[,BAUD]", "serial port of the record", set_com);

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
	if (!uart_answers())
		return false;
	uart_write(UART_INTERRUPTS, 0);
	if (com_baud) {
		uart_write(UART_LINE, LINE_DLAB | LINE_8N1);
		uart_write(UART_DATA, (uint8_t)(BAUD_BASE / com_baud));
		uart_write(UART_INTERRUPTS, (uint8_t)(BAUD_BASE / com_baud >> 8));
	}
	uart_write(UART_LINE, LINE_8N1);
	uart_write(UART_FIFO, FIFO_ON);
	uart_write(UART_MODEM, MODEM_DTR_RTS);
	return uart_ready(WAIT_FIRST);
}

void serial_early(void)
{
	static const uint16_t ports[] = { 0x3f8, 0x2f8, 0x3e8, 0x2e8 };
	if (com_kind == COM_PORT) {
		uart.port = (uint16_t)com_address;
		uart.present = uart_open();
	}
	for (size_t i = 0; com_kind == COM_AUTO && !uart.present && i < 4; i++) {
		uart.port = ports[i];
		uart.present = uart_open();
	}
}

void serial_start(void)
{
	if (com_kind != COM_MMIO32)
		return;
	uart.registers = device_map(com_address, 8 * sizeof *uart.registers, PAGE_UNCACHED);
	uart.present = uart.registers && uart_open();
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
