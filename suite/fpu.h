/* SPDX-License-Identifier: BSD-2-Clause */
/* The FPU's state around routines that use it and save it, as a kernel does. */
#ifndef SUITE_FPU_H
#define SUITE_FPU_H

#include "lib/fpusave.h"

/* Tries the methods that this CPU and system have, tells the record of one that faults,
 * and gives the routines their begin and end by the best that keeps everything. Call once
 * the CPU is identified. */
void fpu_start(void);

/* "xsavec" and so on; what of the state it does not keep (enum fpu_file); the one in use. */
const char *fpu_method_name(enum fpu_method method);
uint32_t fpu_method_loses(enum fpu_method method);
enum fpu_method fpu_method_chosen(void);

/* Why it cannot be used here; NULL: it can. */
const char *fpu_method_lacks(enum fpu_method method);

/* What the routines' begin and end do, by any method that can be used. `area`: zeros at
 * first, and one for each method. */
void fpu_begin_by(enum fpu_method method, struct fpu_state *area);
void fpu_end_by(enum fpu_method method, const struct fpu_state *area);

#endif
