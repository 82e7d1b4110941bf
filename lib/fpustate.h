/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The floating-point and vector state as a whole: filled with a pattern before a
 * routine is called and compared after it. protected_call() loads and saves it.
 */
#ifndef LIB_FPUSTATE_H
#define LIB_FPUSTATE_H

#include "lib/fpusave.h"

#include <stddef.h>

/* Files of registers that a routine may say it uses. */
enum fpu_file {
	FPU_FILE_X87 = 1u << 0, /* the registers of MMX too */
	FPU_FILE_XMM = 1u << 1,
	FPU_FILE_YMM = 1u << 2, /* the upper halves */
	FPU_FILE_OPMASK = 1u << 3,
	FPU_FILE_ZMM = 1u << 4, /* the upper halves of 0 to 15: any VEX instruction clears them */
	FPU_FILE_ZMM_16 = 1u << 5, /* registers 16 to 31 */
	/* not registers: nobody may change these */
	FPU_X87_CONTROL = 1u << 6,
	FPU_X87_TAGS = 1u << 7, /* some register is not empty: a missing emms */
	FPU_MXCSR = 1u << 8
};

struct fpu_layout {
	enum fpu_method how; /* SAVE_FNSAVE, SAVE_FXSAVE or SAVE_XSAVE */
	uint32_t mask;       /* of XCR0, for XSAVE */
	struct {
		uint32_t offset, bytes; /* in the XSAVE area; 0 bytes: not there */
	} component[8];                 /* by bits of XCR0 */
};

/* What this CPU does. xcr0: what is turned on, or bits 0 and 1 (x87, SSE) where there is
 * no XSAVE; cpuid_0d: CPUID leaf 0Dh by subleaf, for eax and ebx. */
void fpu_layout_find(struct fpu_layout *layout, uint64_t xcr0, bool xsave,
		     void (*cpuid_0d)(uint32_t subleaf, uint32_t *eax, uint32_t *ebx));

/* As after FNINIT, with vector registers of zeros. */
void fpu_state_clean(const struct fpu_layout *layout, struct fpu_state *s);

/* All registers patterned, x87 registers empty all the same, so that x87 and MMX can be
 * used; control words with every exception masked, rounding and precision unusual. */
void fpu_state_pattern(const struct fpu_layout *layout, struct fpu_state *s);

/* enum fpu_file: what differs. `before` must be of fpu_state_pattern(). */
uint32_t fpu_state_changed(const struct fpu_layout *layout, const struct fpu_state *before,
			   const struct fpu_state *after);

/* ------------------------------------------------------------ around a call */

struct protected_call;

/* Once, before the two below, with what fpu_layout_find() takes. */
void fpu_calls_start(uint64_t xcr0, bool xsave,
		     void (*cpuid_0d)(uint32_t subleaf, uint32_t *eax, uint32_t *ebx));

/* The call will start from the pattern. */
void fpu_call_begin(struct protected_call *call);

/* The FPU can be used again, as fpu_clean() leaves it; what the call changed, 0 where it did
 * not return. */
uint32_t fpu_call_end(const struct protected_call *call);

/* Before anything is timed: empties the registers in which a call before has left something. */
void fpu_calls_done(void);

/* Loads a state in which every register is in use, or none. */
void fpu_use(bool registers);

/* What a trap handler that sleeps does to the FPU of the routine that it interrupted:
 * its state is saved, another one is loaded and used, and the first one comes back. */
void fpu_sleep(void);

/* The same by a handler that saves nothing: what it interrupted is lost. */
void fpu_lose(void);
/* The same where the system has saved it, by FXSAVE or XSAVE, and will load it again. */
void fpu_lose_image(void *image);

#endif
