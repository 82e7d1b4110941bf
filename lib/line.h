/* SPDX-License-Identifier: BSD-2-Clause */
/* Cache lines one at a time. LINE_BYTES is a step that misses no line on any x86: the
 * smallest line since the Pentium II. */
#ifndef LIB_LINE_H
#define LIB_LINE_H

#include <stddef.h>
#include <stdint.h>

#define LINE_BYTES 32u

static inline void line_load(const void *p)
{
	(void)*(const volatile uint8_t *)p;
}

/* Makes the line dirty and changes nothing in it. */
static inline void line_dirty(void *p)
{
	*(volatile uint8_t *)p = *(volatile uint8_t *)p;
}

#define CPUID1_EDX_CLFSH (1u << 19)

/* Needs CPUID1_EDX_CLFSH; writes back what is dirty. Ordered by lines_drain(). */
static inline void line_flush(const void *p)
{
	__asm__ volatile("clflush %0" : : "m"(*(const uint8_t *)p) : "memory");
}

#endif
