/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calling a routine so that nothing it does to registers, flags or by faulting
 * gets past the caller, and timing it. Both machines use these stubs
 * (lib/<width>/call.asm); offsets are generated from the structures below.
 */
#ifndef LIB_CALL_H
#define LIB_CALL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define CALL_SAVED 6 /* rbx rbp r12 r13 r14 r15 */
#else
#define CALL_SAVED 4 /* ebx ebp esi edi */
#endif

struct protected_call {
	uintptr_t entry;             /* in: the form */
	uintptr_t to, from, n;       /* in: its arguments */
	uintptr_t result;            /* out: what it returned */
	uintptr_t second;            /* out: the register of a second result (rdx, edx) */
	uintptr_t flags;             /* out: the flags register as it left it */
	uintptr_t saved[CALL_SAVED]; /* out: the callee-saved registers as it left them */
	uintptr_t sp;                /* the stub's stack pointer, for protected_unwind */
	uintptr_t sp_after;          /* out: sp plus what the routine left it off by */
	uint32_t returned;           /* out: 1 if it came back by itself, 0 after an unwind */
	uint32_t fpu_how, fpu_mask;  /* in: struct fpu_layout */
	const void *fpu_before;      /* in: struct fpu_state loaded right before the call; NULL:
					the FPU stays as it is */
	void *fpu_after;             /* out: where the state is saved right after it; NULL: it is
					not. What protected_unwind() leaves is not saved */
};

/* What protected_call() puts into callee-saved register i before the call. */
#define CALL_PATTERN(i) ((uintptr_t)(0x5aa5c33c0ff0b44bu ^ (i)*0x0101010101010101u))

void protected_call(struct protected_call *call);

/* The call in progress, NULL when there is none: how a trap handler knows whether
 * to give a routine up. One CPU calls at a time; calls may nest. */
extern struct protected_call *protected_current;

/*
 * Not called: a trap handler that gives a routine up sets the instruction pointer
 * here and the stack pointer to call->sp; protected_call() then returns with
 * returned = 0 and the caller's registers intact.
 */
void protected_unwind(void);

/*
 * TSC ticks for `count` calls of entry(to, from, n) in a row, in the bracket of
 * METHOD.md (lfence; rdtsc; lfence, one store fence before the closing one). A
 * count of 0 gives the empty bracket. `fence` says what the CPU has.
 */
enum bracket_fence {
	BRACKET_CPUID, /* before SSE2: cpuid serialises, a locked operation orders stores */
	BRACKET_LFENCE /* lfence and mfence */
};

uint64_t timed_calls(uintptr_t entry, void *to, const void *from, size_t n, size_t count,
		     enum bracket_fence fence);

#endif
