/* SPDX-License-Identifier: BSD-2-Clause */
/* Calling routines: what they must keep is checked here. */
#include "lib/call.h"

#include "hosted/hosted.h"
#include "lib/fpustate.h"
#include "suite/machine.h"

static void read_cpuid_0d(uint32_t subleaf, uint32_t *eax, uint32_t *ebx)
{
	struct cpuid_regs r = machine_cpuid(0xd, subleaf);
	*eax = r.eax;
	*ebx = r.ebx;
}

void call_start(void)
{
	bool xsave = machine_cpuid(1, 0).ecx & CPUID1_ECX_OSXSAVE;
	fpu_calls_start(machine_xcr0(), xsave, read_cpuid_0d);
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
	trap_fixups = trap_demanded = 0;
	trap_call_begins();
	fpu_call_begin(&call);
	protected_call(&call);
	out->fpu = fpu_call_end(&call);
	out->returned = call.returned;
	out->fixups = trap_fixups;
	out->demanded = trap_demanded;
	if (call.returned) {
		out->residue = call.result;
		out->second = call.second;
		out->broken = broken_registers(&call);
	} else {
		/* what an unfinished routine holds is no fault of its own */
		out->residue = n;
		out->broken = 0;
		out->fault = trap_fault;
	}
}

uint64_t machine_time(uintptr_t entry, void *to, const void *from, size_t n, size_t count)
{
	fpu_calls_done();
	trap_timings++;
	trap_timing = true;
	uint64_t ticks = timed_calls(entry, to, from, n, count, BRACKET_LFENCE);
	trap_timing = false;
	return ticks;
}
