/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LIB_DEFLATE_H
#define LIB_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#define DEFLATE_FROM_MAX 32768u

/*
 * Compresses n bytes (at most DEFLATE_FROM_MAX) to one block of raw deflate data with
 * the fixed code (RFC 1951, 3.2.6). Returns how many bytes of `to` it took; 0 where
 * `size` is too small.
 */
size_t deflate(uint8_t *to, size_t size, const uint8_t *from, size_t n);

#endif
