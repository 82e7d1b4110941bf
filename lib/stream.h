/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plain streams of loads (from `from`) and of stores (to `to`) of 16, 32 and 64 bytes:
 * what a machine's memory and caches can do for a copy at best. n is a multiple of
 * STREAM_UNIT and not 0; they need SSE, AVX and AVX512F, and change vector registers.
 * What they return means nothing.
 */
#ifndef LIB_STREAM_H
#define LIB_STREAM_H

#include <stddef.h>

#define STREAM_UNIT 256

size_t stream_read_16(void *to, const void *from, size_t n);
size_t stream_read_32(void *to, const void *from, size_t n);
size_t stream_read_64(void *to, const void *from, size_t n);
size_t stream_write_16(void *to, const void *from, size_t n);
size_t stream_write_32(void *to, const void *from, size_t n);
size_t stream_write_64(void *to, const void *from, size_t n);

#endif
