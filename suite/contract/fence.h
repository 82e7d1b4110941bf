/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a copy orders its non-temporal stores cannot be seen from the thread that
 * makes them, so its code is looked at: where there are such stores, there must be a
 * fence too.
 */
#ifndef SUITE_CONTRACT_FENCE_H
#define SUITE_CONTRACT_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `n` bytes of code have a weakly ordered store (movnti, movntq, movntps, movntdq and
 * their VEX and EVEX forms, movdiri, movdir64b, clzero) and no sfence or mfence. Bytes are
 * compared, not decoded: it says nothing of whether the fence is reached. Only addresses
 * in data[0..size), to which the code refers from afar and which may be any bytes, are left
 * out. */
bool fence_missing(const uint8_t *code, size_t n, const void *data, size_t size);

/* They have a clflush or a clflushopt. */
bool code_flushes(const uint8_t *code, size_t n);

#endif
