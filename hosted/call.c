/* SPDX-License-Identifier: BSD-2-Clause */
/* Calling routines: what they must keep is checked here. */
#include "lib/call.h"

#include "hosted/hosted.h"
#include "suite/machine.h"

#define FLAG_DF (1u << 10)
#define FLAG_AC (1u << 18)

/* The x87 state as fnstenv leaves it. */
struct x87_environment {
	uint16_t control, unused0, status, unused1, tag, unused2;
	uint32_t pointers[4];
};

#define X87_TAG_EMPTY 0xffffu

static uint32_t broken_fpu(uint16_t control_before, uint32_t mxcsr_before)
{
	struct x87_environment x87;
	uint32_t mxcsr, broken = 0;
	__asm__ volatile("fnstenv %0" : "=m"(x87));
	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	if (x87.tag != X87_TAG_EMPTY || x87.control != control_before) {
		broken |= BROKEN_X87;
		__asm__ volatile("fninit");
	}
	/* fnstenv has masked every exception */
	__asm__ volatile("fldcw %0" : : "m"(control_before));
	if (mxcsr != mxcsr_before) {
		broken |= BROKEN_MXCSR;
		__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr_before));
	}
	return broken;
}

static uint32_t broken_registers(const struct protected_call *call)
{
	uint32_t broken = 0;
	for (unsigned i = 0; i < CALL_SAVED; i++)
		if (call->saved[i] != CALL_PATTERN(i))
			broken |= BROKEN_REGISTER;
	if (call->sp_after != call->sp)
		broken |= BROKEN_STACK;
	if (call->flags & FLAG_DF)
		broken |= BROKEN_DF;
	if (call->flags & FLAG_AC)
		broken |= BROKEN_AC;
	return broken;
}

void machine_call(uintptr_t entry, void *to, const void *from, size_t n, struct outcome *out)
{
	struct protected_call call = {
		.entry = entry, .to = (uintptr_t)to, .from = (uintptr_t)from, .n = n
	};
	uint16_t control;
	uint32_t mxcsr;
	__asm__ volatile("fnstcw %0" : "=m"(control));
	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	trap_fixups = 0;
	trap_call_begins();
	protected_call(&call);
	out->broken = broken_fpu(control, mxcsr);
	out->returned = call.returned;
	out->fixups = trap_fixups;
	if (call.returned) {
		out->residue = call.result;
		out->second = call.second;
		out->broken |= broken_registers(&call);
	} else {
		/* what an unfinished routine holds is no fault of its own */
		out->residue = n;
		out->broken = 0;
		out->fault = trap_fault;
	}
}

uint64_t machine_time(uintptr_t entry, void *to, const void *from, size_t n, size_t count)
{
	return timed_calls(entry, to, from, n, count, BRACKET_LFENCE);
}
