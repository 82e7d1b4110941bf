/* SPDX-License-Identifier: BSD-2-Clause */
/* The record (docs/RECORD.md): every line of a run goes through here, so that the
 * count and the checksum in the END line are right. Lines are at most
 * RECORD_LINE_MAX bytes of printable ASCII; what is longer is cut and marked. */
#ifndef SUITE_RECORD_H
#define SUITE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_LINE_MAX 240

void record_start(void);
/* One whole line, as it is. */
void record_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "# ..." for people. */
void record_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* "META key: ..." */
void record_meta(const char *key, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* From here on the run cannot end with status=pass. */
void record_fail(void);
bool record_failed(void);
void record_end(void);

#endif
