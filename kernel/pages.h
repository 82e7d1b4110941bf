/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic of physical memory. */
#ifndef KERNEL_PAGES_H
#define KERNEL_PAGES_H

#include "kernel/kernel.h"

#define LOW_MEMORY ((uint64_t)1 << 20) /* BIOS data, boot stubs of other CPUs: never handed out */

static inline uint64_t page_up(uint64_t address)
{
	return (address + PAGE_SIZE - 1) & ~(uint64_t)(PAGE_SIZE - 1);
}

static inline uint64_t page_down(uint64_t address)
{
	return address & ~(uint64_t)(PAGE_SIZE - 1);
}

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The image, by physical address. */
static inline struct memory_range image_range(void)
{
	return (struct memory_range){ (uintptr_t)image_start - KERNEL_BASE,
				      (uintptr_t)image_end - KERNEL_BASE, MEMORY_OTHER };
}

#endif
