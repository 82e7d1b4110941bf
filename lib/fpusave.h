/* SPDX-License-Identifier: BSD-2-Clause */
/* Saving and restoring the FPU's state by every way that x86 has had. None of them is
 * privileged; with CR0.TS set each is #NM. */
#ifndef LIB_FPUSAVE_H
#define LIB_FPUSAVE_H

#include <stdbool.h>
#include <stdint.h>

#define FPU_STATE_BYTES 2688 /* x87 to AVX-512; XSAVE wants it aligned to 64 */

struct fpu_state {
	uint8_t bytes[FPU_STATE_BYTES] __attribute__((aligned(64)));
};

/* The oldest first. */
enum fpu_method {
	SAVE_FNSAVE, /* x87 and MMX only, and leaves them initialised */
	SAVE_FXSAVE,
	SAVE_XSAVE,
	SAVE_XSAVEOPT, /* leaves out what has not changed since the last restore */
	SAVE_XSAVEC,   /* leaves out what is in its initial state, and packs the rest */
	SAVE_METHODS
};

/* The XCR0 bits of x87, SSE, AVX and AVX-512, for which struct fpu_state has room. */
#define FPU_COMPONENTS 0xe7u

/* `s`: zeros at first, and then used with this method only, since the X forms refuse
 * another's header. `components`: of XCR0, within FPU_COMPONENTS; for the X forms. */
void fpu_save(enum fpu_method method, uint32_t components, struct fpu_state *s);
void fpu_restore(enum fpu_method method, uint32_t components, const struct fpu_state *s);

#define FPU_MXCSR_RESET 0x1f80u

/* What a kernel hands to a routine of its own: an empty x87 stack, every exception
 * masked, MXCSR (where there is SSE) as at reset. */
void fpu_clean(bool sse);

#endif
