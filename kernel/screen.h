/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_SCREEN_H
#define KERNEL_SCREEN_H

#include <stddef.h>

/* VGA text where the loader left it on, as the option screen= says. */
void screen_early(void);
void screen_write_line(const char *text, size_t length);

#endif
