/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Into user mode and back: what kernel/user.c and kernel/<width>/user.asm know of
 * each other. One program runs at a time, on one CPU.
 */
#ifndef KERNEL_USER_H
#define KERNEL_USER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Data that is read while the program's page tables may still be the current ones: with
 * pti=on these hold of the kernel's half only this section, the code of section
 * .entry_text and the stacks that the processor may switch to.
 */
#define ENTRY_DATA __attribute__((section(".entry_data")))

/* The number of the call by which the program ends; its first argument is the result. */
#define USER_EXIT UINTPTR_MAX

struct entry_state {
	uintptr_t kernel_cr3, user_cr3; /* the same where the tables are not split */
	uintptr_t kernel_sp; /* the top of the stack for traps and calls from user mode */
	uintptr_t user_sp;   /* x86_64: the program's, while it calls */
	uintptr_t return_sp; /* user_enter()'s, for user_leave() */
};
extern struct entry_state entry_state;

/* What user_enter() starts a program with. */
struct user_start {
	uintptr_t program, call, argument;
	uintptr_t stack; /* its top, a multiple of 16 */
};

/* As a routine for protected_call(): enters the program; returns, through user_leave(),
 * what it ended with. `to` is a struct user_start. */
uintptr_t user_enter(void *to, const void *from, uintptr_t n);
_Noreturn void user_leave(uintptr_t result);

/* A system call, by whatever entry, with interrupts off. */
uintptr_t user_service_call(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c);

/* Each width's: how many ways in there are, and what the second half does for each. */
struct user_way {
	const char *name;
	uintptr_t call;           /* the program's side: user_call in suite/machine.h */
	uintptr_t entry;          /* the kernel's */
	uintptr_t entry_isolated; /* the same with a switch of page tables */
	bool (*present)(void);
	void (*start)(uintptr_t entry); /* tells the processor */
};
extern const struct user_way user_ways[];
extern const unsigned user_way_count;

#endif
