/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_X86_64_FRAME_H
#define KERNEL_X86_64_FRAME_H

#include "kernel/layout.h"

#include <stdint.h>

/* The picture is in trap.asm, which builds it. */
struct trap_frame {
	uintptr_t r15, r14, r13, r12, r11, r10, r9, r8;
	uintptr_t bp, di, si, dx, cx, bx, ax;
	uintptr_t vector, error;
	uintptr_t ip, cs, flags, sp, ss; /* pushed by the processor */
};

static inline int frame_is_user(const struct trap_frame *frame)
{
	return frame->cs & 3;
}

/* 64-bit code looks at no other segments. */
static inline void frame_to_kernel(struct trap_frame *frame)
{
	frame->cs = SELECTOR_KERNEL_CODE;
	frame->ss = SELECTOR_KERNEL_DATA;
}

static inline uintptr_t frame_sp(const struct trap_frame *frame)
{
	return frame->sp;
}

static inline void frame_set_sp(struct trap_frame *frame, uintptr_t sp)
{
	frame->sp = sp;
}

static inline unsigned frame_registers(const struct trap_frame *f, uintptr_t *reg)
{
	const uintptr_t values[] = { f->ax, f->bx,  f->cx,  f->dx,  f->si,  f->di,  f->bp, f->r8,
				     f->r9, f->r10, f->r11, f->r12, f->r13, f->r14, f->r15 };
	const unsigned n = sizeof values / sizeof *values;

	for (unsigned i = 0; i < n; i++)
		reg[i] = values[i];
	return n;
}

#endif
