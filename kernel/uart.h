/* SPDX-License-Identifier: BSD-2-Clause */
/* UARTs, and where a machine may have them. */
#ifndef KERNEL_UART_H
#define KERNEL_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uart_place {
	uint64_t address; /* physical, or a port */
	bool memory;
	uint8_t stride; /* bytes from one register to the next */
	uint8_t width;  /* of an access, in bytes: 1, 2 or 4 */
	uint32_t baud;  /* 0: as the firmware left it */
};

#define BAUD_BASE 115200u /* of the usual 1.8432 MHz crystal */

struct uart {
	struct uart_place place;
	volatile uint8_t *registers; /* of a place in memory */
};

/* Whether a UART answers there. */
bool uart_find(const struct uart_place *place, struct uart *u);
/* Sets it up; false where it takes no character. */
bool uart_open(const struct uart *u);
/* Whether it takes a character, now or in so many milliseconds. */
bool uart_ready(const struct uart *u, unsigned ms);
void uart_send(const struct uart *u, char c);

/* What the tables SPCR (the firmware's console) and DBG2 (debug ports) name, in this
 * order; false beyond the last. Ports of other kinds are passed over. */
bool uart_in_tables(unsigned index, struct uart_place *place);

/* The serial controllers on PCI, which this turns on; false beyond the last. */
bool uart_on_pci(unsigned index, struct uart_place *place);

#endif
