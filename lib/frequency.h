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

#endif
