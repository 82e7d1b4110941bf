/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/fpusave.h"

void fpu_save(enum fpu_method method, uint32_t components, struct fpu_state *s)
{
	switch (method) {
	case SAVE_FNSAVE:
		__asm__ volatile("fnsave %0" : "+m"(*s));
		break;
	case SAVE_FXSAVE:
		__asm__ volatile("fxsave %0" : "+m"(*s));
		break;
	case SAVE_XSAVE:
		__asm__ volatile("xsave %0" : "+m"(*s) : "a"(components), "d"(0));
		break;
	case SAVE_XSAVEOPT:
		__asm__ volatile("xsaveopt %0" : "+m"(*s) : "a"(components), "d"(0));
		break;
	default:
		__asm__ volatile("xsavec %0" : "+m"(*s) : "a"(components), "d"(0));
	}
}

void fpu_restore(enum fpu_method method, uint32_t components, const struct fpu_state *s)
{
	switch (method) {
	case SAVE_FNSAVE:
		__asm__ volatile("frstor %0" : : "m"(*s));
		break;
	case SAVE_FXSAVE:
		__asm__ volatile("fxrstor %0" : : "m"(*s));
		break;
	default:
		__asm__ volatile("xrstor %0" : : "m"(*s), "a"(components), "d"(0));
	}
}

void fpu_clean(bool sse)
{
	uint32_t mxcsr = FPU_MXCSR_RESET;

	__asm__ volatile("fninit");
	if (sse)
		__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
}
