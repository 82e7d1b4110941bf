/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a machine may have its UARTs. */
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

/* What the tables SPCR (the firmware's console) and DBG2 (debug ports) name, in this
 * order; false beyond the last. Ports of other kinds are passed over. */
bool uart_in_tables(unsigned index, struct uart_place *place);

/* The serial controllers on PCI, which this turns on; false beyond the last. */
bool uart_on_pci(unsigned index, struct uart_place *place);

#endif
