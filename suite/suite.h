/* SPDX-License-Identifier: BSD-2-Clause */
/* What a machine calls: the suite has just these two doors. */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include "suite/machine.h"

/* A whole run, from START to END. Options must have been parsed (lib/option.h).
 * Returns true for status=pass. */
bool suite_run(void);

/* The compact record of the run that has ended, for a machine that can show it: text of
 * whole lines. *length is 0 before the end. */
const char *suite_compact(size_t *length);

/* The machine cannot go on: prints the report of the fault as text and ends the
 * record with status=fail. Uses nothing but machine_write_line and
 * machine_symbol; safe to call at any time, before START (then it writes START
 * first) and inside another line (which is dropped). */
void suite_died(const struct fault *fault);

#endif
