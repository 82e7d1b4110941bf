/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_SERIAL_H
#define KERNEL_SERIAL_H

#include <stddef.h>

/* Ports of the I/O space, as the option com= says; uses no memory. */
void serial_early(void);
/* Those in memory, which need device_map(), and all others that there are. */
void serial_start(void);

/* One line and CR LF. Nothing where there is no port. One that takes no character in 100 ms
 * (10 s on a virtual machine) loses the rest of the line, and the lines after it until it
 * takes characters again. */
void serial_write_line(const char *text, size_t length);

/* The port that the record goes to and others that answered, as com= takes them; NULL where
 * none was looked for. */
const char *serial_text(void);

#endif
