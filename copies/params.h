/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one block of parameters that copies/ depends on. The suite fills it at
 * start from what the machine says of itself; routines read it through PARAM()
 * of copy.inc, whose offsets are generated from this struct.
 */
#ifndef COPIES_PARAMS_H
#define COPIES_PARAMS_H

#include "copies/copy.h"

#include <stdint.h>

/* Rows of the tables of `select`: n below 64, below 128, ... and the last for all above. */
#define COPY_SIZE_CLASSES 16

struct copy_params {
	uintptr_t user_limit; /* first address that is not the user's; from_user_zero checks against
				 it */
	uintptr_t
		l2_bytes; /* a block touch goes no further ahead than this; 0 is taken as 256 KiB */
	uintptr_t postfetch_bytes; /* how much of a destination a routine may touch again, from its
				      start */
	uint32_t femms;            /* 1 where the CPU has 3DNow!, so femms may stand for emms */
	uint32_t erms;       /* 1 where CPUID says that rep movsb is fast, from some size on */
	uint32_t fsrm;       /* 1 where it says so for short copies too */
	uint32_t align_mask; /* a copy counts as misaligned when (to ^ from) has one of these bits:
				7 */
	uintptr_t rep_from;  /* dispatch by size: from here on rep movsb, ... */
	uintptr_t nt_from;   /* ... and from here on non-temporal stores */
	/* Called around the copies that save the FPU state; what and how is theirs to
	 * know. */
	void (*fpu_begin)(void);
	void (*fpu_end)(void);
	/* The entry of the form that `select`, or `select_csum`, goes on to, by kind, size, and
	 * whether the copy counts as misaligned; 0 for its own body. */
	uintptr_t select[FORM_KINDS][COPY_SIZE_CLASSES][2];
	uintptr_t select_csum[FORM_KINDS][COPY_SIZE_CLASSES][2];
};

extern struct copy_params copy_params;

#endif
