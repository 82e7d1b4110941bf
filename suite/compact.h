/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The compact record (docs/RECORD.md), for ways out that are narrow: the keys, what
 * failed, and the summaries, gathered from the lines of the record as they are written.
 */
#ifndef SUITE_COMPACT_H
#define SUITE_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPACT_MAX 24576

void compact_start(void);
/* One line of the record, of n bytes. */
void compact_line(const char *line, size_t n);
/* The count and checksum of the full record. */
void compact_end(unsigned lines, uint32_t crc, bool failed);

#endif
