/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LIB_FREQUENCY_H
#define LIB_FREQUENCY_H

#include <stdint.h>

/* a * b / c rounded down, with a product of 128 bits; UINT64_MAX where the
 * quotient does not fit or c is 0. */
uint64_t multiply_divide(uint64_t a, uint64_t b, uint64_t c);

/* Parts per million between two frequencies, of the smaller one, rounded down;
 * UINT64_MAX where either is 0. */
uint64_t frequency_apart(uint64_t a, uint64_t b);

/* What CPUID tells of the TSC's frequency; zeros where it has no such leaf. */
struct frequency_leaves {
	uint32_t signature;                       /* leaf 1, eax */
	uint32_t denominator, numerator, crystal; /* leaf 15h: eax, ebx, ecx */
	uint32_t base_mhz;                        /* leaf 16h, eax */
	uint32_t tsc_khz;                         /* leaf 40000010h, eax */
};

/* Hz, and which leaf it is from ("cpuid15", "cpuid16", "hypervisor"); 0 where CPUID
 * claims nothing. */
uint64_t frequency_claimed(const struct frequency_leaves *leaves, const char **source);

#endif
