/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_SERIAL_H
#define KERNEL_SERIAL_H

#include <stddef.h>

/* Ports of the I/O space, as the option com= says; uses no memory. */
void serial_early(void);
/* Memory-mapped ports: these need device_map(). */
void serial_start(void);

/* One line and CR LF. Nothing where there is no port; a port that stops taking
 * characters is given up. */
void serial_write_line(const char *text, size_t length);

#endif
