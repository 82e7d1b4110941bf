/* SPDX-License-Identifier: BSD-2-Clause */
/* Calling a routine under test, and what it did to the machine's state. */
#include "kernel/call.h"

#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/smp.h"
#include "lib/call.h"
#include "lib/fpustate.h"

struct outcome *call_outcome;
uintptr_t call_frame;
bool timing;

/* ------------------------------------------------------------ floating point */

static void read_cpuid_0d(uint32_t subleaf, uint32_t *eax, uint32_t *ebx)
{
	struct cpuid_regs r = machine_cpuid(0xd, subleaf);
	*eax = r.eax;
	*ebx = r.ebx;
}

void call_start(void)
{
	bool xsave = read_cr4() & CR4_OSXSAVE;
	fpu_calls_start(cpu.xcr0, xsave, read_cpuid_0d);
}

/* ------------------------------------------------------------ segments */

struct segments {
	uint16_t ds, es, fs, gs, ss;
};

static struct segments segments_now(void)
{
	struct segments now;

	__asm__ volatile("mov %%ds, %0" : "=rm"(now.ds));
	__asm__ volatile("mov %%es, %0" : "=rm"(now.es));
	__asm__ volatile("mov %%fs, %0" : "=rm"(now.fs));
	__asm__ volatile("mov %%gs, %0" : "=rm"(now.gs));
	__asm__ volatile("mov %%ss, %0" : "=rm"(now.ss));
	return now;
}

static bool segments_same(const struct segments *a, const struct segments *b)
{
	return a->ds == b->ds && a->es == b->es && a->fs == b->fs && a->gs == b->gs &&
	       a->ss == b->ss;
}

static void segments_restore(const struct segments *s)
{
	__asm__ volatile("mov %0, %%ds" : : "rm"(s->ds));
	__asm__ volatile("mov %0, %%es" : : "rm"(s->es));
	__asm__ volatile("mov %0, %%fs" : : "rm"(s->fs));
	__asm__ volatile("mov %0, %%gs" : : "rm"(s->gs));
}

/* ------------------------------------------------------------ calls */

static uint32_t registers_broken(const struct protected_call *call, uintptr_t flags_before)
{
	uintptr_t changed = call->flags ^ flags_before;
	uint32_t broken = 0;

	for (unsigned i = 0; i < CALL_SAVED; i++)
		if (call->saved[i] != CALL_PATTERN(i))
			broken |= BROKEN_REGISTER;
	if (call->sp_after != call->sp)
		broken |= BROKEN_STACK;
	if (call->flags & FLAG_DF)
		broken |= BROKEN_DF;
	if (changed & FLAG_AC)
		broken |= BROKEN_AC;
	if (changed & FLAG_IF)
		broken |= BROKEN_IF;
	return broken;
}

void machine_call(uintptr_t entry, void *to, const void *from, size_t n, struct outcome *out)
{
	struct protected_call call = {
		.entry = entry, .to = (uintptr_t)to, .from = (uintptr_t)from, .n = n
	};
	struct segments before, after;
	uintptr_t flags = read_flags();
	bool limited;

	out->residue = out->second = 0;
	out->broken = out->fixups = out->demanded = 0;
	call_outcome = out;
	call_frame = (uintptr_t)__builtin_frame_address(0);
	fpu_call_begin(&call);
	watchdog_set();
	limited = segments_limit(call.to, call.from);
	before = segments_now();
	protected_call(&call);
	after = segments_now();
	watchdog_clear();
	if (!segments_same(&before, &after)) {
		segments_restore(&before);
		out->broken = BROKEN_SEGMENT;
	}
	if (limited)
		segments_flat();
	out->fpu = fpu_call_end(&call);
	out->returned = call.returned;
	if (!call.returned)
		return;
	out->residue = call.result;
	out->second = call.second;
	out->broken |= registers_broken(&call, flags);
}

uint64_t machine_time(uintptr_t entry, void *to, const void *from, size_t n, size_t count)
{
	uint64_t ticks;

	fpu_calls_done();
	timing = true;
	watchdog_set_timed();
	ticks = timed_calls(entry, to, from, n, count, cpu.sse2 ? BRACKET_LFENCE : BRACKET_CPUID);
	watchdog_clear();
	timing = false;
	return ticks;
}

uint32_t machine_can(void)
{
	return CAN_RING0 | CAN_USER_MODE | (smp_used() > 1 ? CAN_CPUS : 0);
}

void machine_share_out(const struct machine_jobs *jobs)
{
	for (size_t job = 0; job < jobs->count; job++) {
		jobs->run(job, jobs->result);
		jobs->finish(job, jobs->result);
	}
}
