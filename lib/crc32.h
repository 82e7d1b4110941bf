/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LIB_CRC32_H
#define LIB_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The zlib CRC-32. Start with 0; feed what it returned to go on. */
uint32_t crc32(uint32_t crc, const void *bytes, size_t n);

#endif
