/* SPDX-License-Identifier: BSD-2-Clause */
/* Text without a C library, and without floating point: kernel and suite share it. */
#ifndef LIB_FORMAT_H
#define LIB_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/*
 * As snprintf, for %d %u %x %X %c %s %p %% with flags '-' and '0', width,
 * precision and '*' (for %s), and lengths l, ll, z. Returns the length of the
 * whole text, as snprintf does; `to` always ends in NUL where size > 0.
 */
int format(char *to, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int vformat(char *to, size_t size, const char *fmt, va_list args);

struct fixed_text {
	char text[28];
};

/* A value in thousandths as decimal text, rounded to `decimals` (0 to 3):
 * fixed(1234567, 1).text is "1234.6". */
struct fixed_text fixed(uint64_t thousandths, unsigned decimals);

#endif
