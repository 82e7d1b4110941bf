/* SPDX-License-Identifier: BSD-2-Clause */
/* The FPU's state around routines that use it and save it, as a kernel does. */
#ifndef SUITE_FPU_H
#define SUITE_FPU_H

#include "lib/fpusave.h"

/* Chooses the best method that this CPU and system have and gives the routines their
 * begin and end. Call once the CPU is identified. */
void fpu_start(void);

/* "xsavec" and so on; whether this CPU and system have it; the one in use. */
const char *fpu_method_name(enum fpu_method method);
bool fpu_method_here(enum fpu_method method);
enum fpu_method fpu_method_chosen(void);

/* What the routines' begin and end do, by any method that is here. `area`: zeros at first,
 * and one for each method. */
void fpu_begin_by(enum fpu_method method, struct fpu_state *area);
void fpu_end_by(enum fpu_method method, const struct fpu_state *area);

#endif
