/* SPDX-License-Identifier: BSD-2-Clause */
/* The pair of 8259 interrupt controllers. */
#ifndef KERNEL_PIC_H
#define KERNEL_PIC_H

/* Brought to a known state, with everything masked. */
void pic_start(void);

/* Lets the timer's line, and no other, through to the CPU's LINT0. */
void pic_timer_on(void);

/* Takes the timer's request back, as an interrupt acknowledge would, so that the
 * next one is an edge again. */
void pic_timer_acknowledge(void);

#endif
