/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's task, and those that #DF, NMI and #MC switch to: the processor leaves
 * a stack that may be bad without pushing anything on it. */
#ifndef KERNEL_I386_TASK_H
#define KERNEL_I386_TASK_H

#include "kernel/arch.h"
#include "kernel/layout.h"

#include <stdint.h>

/* SDM volume 3, figure "32-Bit Task-State Segment". */
struct tss {
	uint32_t link; /* selector of the interrupted task */
	struct {
		uint32_t sp, ss;
	} ring[3];
	uint32_t cr3, ip, flags;
	uint32_t ax, cx, dx, bx, sp, bp, si, di;
	uint32_t es, cs, ss, ds, fs, gs, ldt;
	uint16_t trap, io_map;
};
_Static_assert(sizeof(struct tss) == 104, "SDM volume 3, 8.2.1");

enum task { TASK_KERNEL, TASK_NMI, TASK_DOUBLE_FAULT, TASK_MACHINE_CHECK, TASKS };

extern struct tss tss[TASKS]; /* of the first CPU */

static inline uint32_t task_selector(unsigned task)
{
	return SELECTOR_TSS + 8 * task;
}

unsigned task_vector(enum task task);

/* For user_ways: makes `entry` what int 0x80 goes to, from user mode too. */
void descriptors_user_gate(uintptr_t entry);

/* Of one CPU. They may not lie across a page edge. */
void tasks_build(struct tss *tasks, const struct trap_stacks *stacks);

#endif
