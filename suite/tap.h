/* SPDX-License-Identifier: BSD-2-Clause */
/* The TAP part of the record: one numbered line a test, the plan at the end. Text
 * that explains a result follows its line as a YAML block. */
#ifndef SUITE_TAP_H
#define SUITE_TAP_H

#include <stdbool.h>

void tap_start(void); /* "TAP version 13"; numbers begin at 1 */
/* "ok N - name" or "not ok N - name"; a failure is the run's (record_fail). */
void tap_result(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A failure that is expected: "not ok N - name # TODO why"; "ok" without the
 * directive where it holds all the same. The run does not fail by it. */
void tap_todo(bool ok, const char *why, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void tap_skip(const char *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One line of the YAML block under the last result; tap_yaml_end() closes it. */
void tap_yaml(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_yaml_end(void);
void tap_end(void); /* "1..N" */

#endif
