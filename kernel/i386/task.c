/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/i386/task.h"

#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/user.h"

#define VECTOR_NM 7

void task_nmi(void);
void task_double_fault(void);
void task_machine_check(void);
void task_enter(uint32_t vector, uint32_t error);
void trap_enter(struct trap_frame *frame);

/* None may lie across a page edge, where the processor may not find the rest (SDM
 * volume 3, 8.2.1): so a power of two that is no smaller. */
struct tss tss[TASKS] ENTRY_DATA __attribute__((aligned(512)));

static const struct {
	unsigned vector;
	void (*entry)(void);
} tasks[TASKS] = {
	[TASK_NMI] = { 2, task_nmi },
	[TASK_DOUBLE_FAULT] = { 8, task_double_fault },
	[TASK_MACHINE_CHECK] = { 18, task_machine_check },
};

unsigned task_vector(enum task task)
{
	return tasks[task].vector;
}

void tasks_build(struct tss *own, const struct trap_stacks *stacks)
{
	const uintptr_t stack[TASKS] = { 0, stacks->nmi, stacks->double_fault,
					 stacks->machine_check };

	for (unsigned i = 0; i < TASKS; i++) {
		own[i] = (struct tss){ .flags = 1 << 1,
				       .ip = (uint32_t)tasks[i].entry,
				       .sp = stack[i],
				       .cr3 = read_cr3(),
				       .cs = SELECTOR_KERNEL_CODE,
				       .ss = SELECTOR_KERNEL_DATA,
				       .ds = SELECTOR_KERNEL_DATA,
				       .es = SELECTOR_KERNEL_DATA,
				       .fs = SELECTOR_KERNEL_DATA,
				       .gs = SELECTOR_KERNEL_DATA,
				       .io_map = sizeof(struct tss) };
	}
}

void descriptors_tables(uintptr_t cr3)
{
	for (unsigned i = 0; i < TASKS; i++)
		tss[i].cr3 = cr3;
	entry_state.kernel_cr3 = entry_state.user_cr3 = cr3;
}

void descriptors_user_stack(uintptr_t sp)
{
	tss[TASK_KERNEL].ring[0].sp = sp;
	tss[TASK_KERNEL].ring[0].ss = SELECTOR_KERNEL_DATA;
}

/* A task switch sets CR0.TS. What it was before is lost, so the next #NM clears it
 * and says nothing. */
static bool switched;

static void clear_task_switched(void)
{
	__asm__ volatile("clts");
}

void trap_enter(struct trap_frame *frame)
{
	if (frame->vector == VECTOR_NM && switched) {
		switched = false;
		clear_task_switched();
		return;
	}
	trap(frame);
}

/* The TSS that a selector means on this CPU. */
static struct tss *task_of(uint32_t selector)
{
	struct {
		uint16_t limit;
		uint32_t base;
	} __attribute__((packed)) gdtr;
	__asm__ volatile("sgdt %0" : "=m"(gdtr));
	uint64_t segment = ((const uint64_t *)gdtr.base)[selector / 8];
	return (struct tss *)((uint32_t)(segment >> 16 & 0xffffff) | (uint32_t)(segment >> 56)
									     << 24);
}

/* Behind a task gate: the interrupted state is in the TSS that the link names, and
 * what trap() changes goes back there. */
void task_enter(uint32_t vector, uint32_t error)
{
	uint32_t own;
	__asm__("str %0" : "=r"(own));
	struct tss *old = task_of(task_of(own)->link);
	struct trap_frame frame = { old->ds, old->es, old->di,    old->si, old->bp, old->sp,
				    old->bx, old->dx, old->cx,    old->ax, vector,  error,
				    old->ip, old->cs, old->flags, old->sp, old->ss };
	int was_user = frame_is_user(&frame);
	clear_task_switched();
	trap(&frame);
	switched = true;
	old->ds = frame.ds;
	old->es = frame.es;
	old->di = frame.di;
	old->si = frame.si;
	old->bp = frame.bp;
	old->sp = frame_sp(&frame);
	old->bx = frame.bx;
	old->dx = frame.dx;
	old->cx = frame.cx;
	old->ax = frame.ax;
	old->ip = frame.ip;
	old->cs = frame.cs;
	old->ss = was_user && !frame_is_user(&frame) ? SELECTOR_KERNEL_DATA : frame.user_ss;
	/* Going back loads what stands here, and nothing ever stored what it was. */
	old->cr3 = frame_is_user(&frame) ? entry_state.user_cr3 : entry_state.kernel_cr3;
	old->flags = frame.flags;
}
