/* SPDX-License-Identifier: BSD-2-Clause */
/* The 16550 and its relatives, polled (National's PC16550D data sheet, 8.0). */
#include "kernel/uart.h"

#include "kernel/cpu.h"
#include "kernel/kernel.h"

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

#define IDLE_MS 10u /* in which one that has nothing to send takes a character */

static uint8_t get(const struct uart *u, enum uart_register reg)
{
	volatile uint8_t *at = u->registers + reg * u->place.stride;

	if (!u->place.memory)
		return inb((uint16_t)(u->place.address + reg));
	if (u->place.width == 4)
		return (uint8_t) * (volatile uint32_t *)at;
	return u->place.width == 2 ? (uint8_t) * (volatile uint16_t *)at : *at;
}

static void put(const struct uart *u, enum uart_register reg, uint8_t value)
{
	volatile uint8_t *at = u->registers + reg * u->place.stride;

	if (!u->place.memory)
		outb((uint16_t)(u->place.address + reg), value);
	else if (u->place.width == 4)
		*(volatile uint32_t *)at = value;
	else if (u->place.width == 2)
		*(volatile uint16_t *)at = value;
	else
		*at = value;
}

static bool scratch_holds(const struct uart *u, uint8_t value)
{
	put(u, UART_SCRATCH, value);
	return get(u, UART_SCRATCH) == value;
}

/* Status 0xff is an empty bus. Then either the scratch register works, or (the 8250
 * has none) the modem lines come back in loopback: OUT2 and RTS as DCD and CTS. */
static bool answers(const struct uart *u)
{
	if (get(u, UART_STATUS) == 0xff)
		return false;
	if (scratch_holds(u, 0x5a) && scratch_holds(u, 0xa5))
		return true;
	uint8_t modem = get(u, UART_MODEM);
	put(u, UART_MODEM, MODEM_LOOP | 0x0a);
	uint8_t lines = get(u, UART_MODEM_STATUS) & 0xf0;
	put(u, UART_MODEM, modem);
	return lines == 0x90;
}

bool uart_ready(const struct uart *u, unsigned ms)
{
	uint64_t deadline = clock_deadline(ms * (uint64_t)1000);

	do
		if (get(u, UART_STATUS) & STATUS_THR_EMPTY)
			return true;
	while (rdtsc() < deadline);
	return false;
}

bool uart_open(const struct uart *u)
{
	uint32_t divisor = u->place.baud ? BAUD_BASE / u->place.baud : 0;

	put(u, UART_INTERRUPTS, 0);
	if (divisor) {
		put(u, UART_LINE, LINE_DLAB | LINE_8N1);
		put(u, UART_DATA, (uint8_t)divisor);
		put(u, UART_INTERRUPTS, (uint8_t)(divisor >> 8));
	}
	put(u, UART_LINE, LINE_8N1);
	put(u, UART_FIFO, FIFO_ON);
	put(u, UART_MODEM, MODEM_DTR_RTS);
	return uart_ready(u, IDLE_MS);
}

bool uart_find(const struct uart_place *place, struct uart *u)
{
	*u = (struct uart){ .place = *place };
	if (place->memory)
		u->registers = device_map(place->address, 8u * place->stride, PAGE_UNCACHED);
	return (u->registers || !place->memory) && answers(u);
}

void uart_send(const struct uart *u, char c)
{
	put(u, UART_DATA, (uint8_t)c);
}
