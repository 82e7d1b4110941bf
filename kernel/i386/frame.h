/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_I386_FRAME_H
#define KERNEL_I386_FRAME_H

#include "kernel/layout.h"

#include <stdint.h>

/* The picture is in trap.asm, which builds it; for vectors that come by a task gate
 * task.c does. */
struct trap_frame {
	uintptr_t ds, es;
	uintptr_t di, si, bp;
	uintptr_t sp; /* where the interrupted code's stack was, and will be; user code: not used */
	uintptr_t bx, dx, cx, ax;
	uintptr_t vector, error;
	uintptr_t ip, cs, flags;    /* pushed by the processor */
	uintptr_t user_sp, user_ss; /* pushed only when it came from user code */
};

static inline int frame_is_user(const struct trap_frame *frame)
{
	return frame->cs & 3;
}

static inline uintptr_t frame_sp(const struct trap_frame *frame)
{
	return frame_is_user(frame) ? frame->user_sp : frame->sp;
}

/* For kernel code: not within the frame itself, nor just above its start. */
static inline void frame_set_sp(struct trap_frame *frame, uintptr_t sp)
{
	if (frame_is_user(frame))
		frame->user_sp = sp;
	else
		frame->sp = sp;
}

static inline void frame_to_kernel(struct trap_frame *frame)
{
	frame->cs = SELECTOR_KERNEL_CODE;
	frame->ds = frame->es = SELECTOR_KERNEL_DATA;
}

static inline unsigned frame_registers(const struct trap_frame *f, uintptr_t *reg)
{
	const uintptr_t values[] = { f->ax, f->bx, f->cx, f->dx, f->si, f->di, f->bp };
	const unsigned n = sizeof values / sizeof *values;

	for (unsigned i = 0; i < n; i++)
		reg[i] = values[i];
	return n;
}

#endif
