/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_STATUS_H
#define KERNEL_STATUS_H

#include <stddef.h>

/* To be told of every line of the record: they say all that the status does. */
void status_line(const char *text, size_t length);

/* How the run stands, in one line: how far it is, what it is doing, what has become of
 * the tests, and the best bandwidth so far. */
const char *status_text(void);

#endif
