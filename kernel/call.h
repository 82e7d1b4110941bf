/* SPDX-License-Identifier: BSD-2-Clause */
/* What kernel/trap.c needs to know of a routine's call in progress (kernel/call.c). */
#ifndef KERNEL_CALL_H
#define KERNEL_CALL_H

#include "suite/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* Valid while protected_current (lib/call.h) is not NULL. */
extern struct outcome *call_outcome;
extern uintptr_t call_frame; /* machine_call()'s frame pointer */

/* A timed call is in progress: nothing in it may fault, and the watchdog has more time. */
extern bool timing;

/* Before the first call; the FPU has been turned on. */
void call_start(void);

#endif
