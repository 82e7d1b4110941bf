/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a trap leads to: a fixup from the exception table, a routine given up, or the
 * end of the run with a report.
 */
#include "kernel/arch.h"
#include "kernel/call.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "kernel/smp.h"
#include "lib/call.h"
#include "lib/extable.h"
#include "lib/fpustate.h"
#include "lib/string.h"
#include "suite/suite.h"

enum {
	VECTOR_NMI = 2,
	VECTOR_NM = 7,
	VECTOR_DF = 8,
	VECTOR_SS = 12,
	VECTOR_GP = 13,
	VECTOR_PF = 14,
	VECTOR_MC = 18
};

bool is_code(uintptr_t address)
{
	return address >= (uintptr_t)text_start && address < (uintptr_t)text_end;
}

/* Only the first CPU calls routines so that they can be given up. */
static bool calling(void)
{
	return protected_current && machine_cpu() == 0;
}

/* ------------------------------------------------------------ exception table */

static struct extable_sorted *fixups;
static size_t fixup_count;

static int in_code(uintptr_t address)
{
	return is_code(address);
}

static void start_fixups(void)
{
	size_t n = (size_t)(__stop_extable - __start_extable);
	uintptr_t bad;

	fixups = memory_take(n * sizeof *fixups);
	if (!fixups)
		panic("no memory for the exception table");
	switch (extable_build(__start_extable, n, fixups, in_code, &bad)) {
	case EXTABLE_OK:
		break;
	case EXTABLE_DUPLICATE:
		panic("two exception-table entries for one instruction");
	case EXTABLE_STRANGER:
		panic("an exception-table entry that points outside the code");
	}
	fixup_count = n;
}

/*
 * Where to go on after this trap; 0 and a note where the table does not answer. Only
 * what an access to user memory can raise is answered; and never a fault on a kernel
 * address, since no copy may read or write there what it was not given.
 */
static uintptr_t fixup_for(const struct trap_frame *frame, const char **note)
{
	uintptr_t fixup = extable_find(fixups, fixup_count, frame->ip);

	if (frame_is_user(frame)) {
		*note = "in the user program";
		return 0;
	}
	if (!fixup) {
		*note = calling() ? "no exception-table entry" : NULL;
		return 0;
	}
	if (frame->vector == VECTOR_PF && read_cr2() >= USER_LIMIT) {
		*note = "kernel address: no fixup is taken";
		return 0;
	}
	if (timing && machine_cpu() == 0) {
		*note = "fault in a timed call: no fixup is taken";
		return 0;
	}
	return fixup;
}

/* ------------------------------------------------------------ SMAP */

struct smap_site {    /* copies/copy.inc */
	int32_t insn; /* relative to this field */
	uint32_t is_clac;
};
extern const struct smap_site __start_smap_sites[], __stop_smap_sites[];

/* Writes STAC (0f 01 cb) and CLAC (0f 01 ca) over the fillers, through CR0.WP: the code
 * has no writable mapping. */
static void patch_smap_sites(void)
{
	uintptr_t cr0 = read_cr0();

	write_cr0(cr0 & ~(uintptr_t)CR0_WP);
	for (const struct smap_site *s = __start_smap_sites; s < __stop_smap_sites; s++) {
		const uint8_t insn[3] = { 0x0f, 0x01, s->is_clac ? 0xca : 0xcb };
		memcpy((char *)&s->insn + s->insn, insn, sizeof insn);
	}
	write_cr0(cr0); /* serialises, as changed code demands (SDM volume 3, 9.1.3) */
}

void traps_start(void)
{
	start_fixups();
	if (cpu.smap)
		patch_smap_sites();
}

/* ------------------------------------------------------------ reports */

static bool is_stack(uintptr_t address, size_t words)
{
	return address >= DIRECT_BASE && address % sizeof(uintptr_t) == 0 &&
	       page_find(address, NULL, NULL) &&
	       page_find(address + words * sizeof(uintptr_t) - 1, NULL, NULL);
}

/* Return addresses by frame pointers: upward, on mapped stack, into code, or it ends. */
static void trace_frames(uintptr_t bp, struct fault *fault)
{
	while (fault->traced < FAULT_TRACE && is_stack(bp, 2)) {
		const uintptr_t *frame = (const uintptr_t *)bp;

		if (!is_code(frame[1]))
			return;
		fault->trace[fault->traced++] = frame[1];
		if (frame[0] <= bp)
			return;
		bp = frame[0];
	}
}

/* A function that needs no stack has no frame (gcc gives it none, whatever it is asked):
 * its return address is the top of the stack. A routine under test has a pattern in the
 * frame pointer: the trace goes on from its caller. */
static void trace(const struct trap_frame *frame, struct fault *fault)
{
	uintptr_t sp = frame_sp(frame);

	if (is_stack(sp, 1) && is_code(*(const uintptr_t *)sp))
		fault->trace[fault->traced++] = *(const uintptr_t *)sp;
	trace_frames(is_stack(frame->bp, 2) || !calling() ? frame->bp : call_frame, fault);
}

extern const uint8_t *const __start_stack_guards[], *const __stop_stack_guards[];

static bool is_guard(uintptr_t address)
{
	for (const uint8_t *const *guard = __start_stack_guards; guard < __stop_stack_guards;
	     guard++)
		if (address - (uintptr_t)*guard < PAGE_SIZE)
			return true;
	return smp_is_guard(address);
}

static void describe(const struct trap_frame *frame, const char *note, struct fault *fault)
{
	bool has_address = frame->vector == VECTOR_PF || frame->vector == VECTOR_DF;

	*fault = (struct fault){
		.vector = (uint32_t)frame->vector,
		.error = (uint32_t)frame->error,
		.address = has_address ? read_cr2() : 0,
		.ip = frame->ip,
		.sp = frame_sp(frame),
		.flags = frame->flags,
		.note = note,
		.cpu = machine_cpu(),
	};
	if (has_address && is_guard(fault->address))
		fault->note = "stack overflow";
	fault->regs = frame_registers(frame, fault->reg);
	trace(frame, fault);
}

/* The report itself may fault: suite_died() knows what to do the second time. */
static _Noreturn void die(const struct fault *fault)
{
	static unsigned deaths;

	if (machine_cpu() != 0)
		smp_faulted(fault);
	if (deaths++ < 2)
		suite_died(fault);
	end_run(false);
}

_Noreturn void panic(const char *why)
{
	struct fault fault = { .vector = FAULT_PANIC, .note = why, .cpu = machine_cpu() };

	fault.ip = (uintptr_t)__builtin_return_address(0);
	fault.flags = read_flags();
	trace_frames((uintptr_t)__builtin_frame_address(0), &fault);
	die(&fault);
}

/* ------------------------------------------------------------ the handler */

/* Back to machine_call(), as if the routine had returned. */
static void give_up(struct trap_frame *frame, const struct fault *fault)
{
	call_outcome->fault = *fault;
	frame_to_kernel(frame);
	frame->ip = (uintptr_t)protected_unwind;
	frame_set_sp(frame, protected_current->sp);
	frame->flags &= ~(uintptr_t)(FLAG_DF | FLAG_AC | FLAG_TF);
}

/* An NMI on the first CPU; the others expect none. */
static enum nmi_source nmi_source(void)
{
	if (machine_cpu() != 0)
		return NMI_OTHER;
	if (smp_fault())
		die(smp_fault());
	return watchdog_nmi();
}

static bool demand_loses_fpu;

void machine_demand_keeps_fpu(bool keeps)
{
	demand_loses_fpu = !keeps;
}

static void sleep_on_demand(void)
{
	if (demand_loses_fpu)
		fpu_lose();
	else
		fpu_sleep();
	call_outcome->demanded++;
}

static void (*fpu_owner)(void);

bool machine_fpu_lazy(void (*owner)(void), const char **why)
{
	*why = NULL;
	fpu_owner = owner;
	write_cr0(read_cr0() | CR0_TS);
	return true;
}

void trap(struct trap_frame *frame)
{
	enum nmi_source nmi = frame->vector == VECTOR_NMI ? nmi_source() : NMI_OTHER;
	const char *note = NULL;
	uintptr_t fixup = 0;
	struct fault fault;

	if (nmi == NMI_WATCHDOG_TICK ||
	    (nmi == NMI_WATCHDOG_EXPIRED && !protected_current && !timing))
		return;
	if (frame->vector == VECTOR_NM && fpu_owner) {
		__asm__ volatile("clts");
		fpu_owner();
		return;
	}
	if (frame->vector == VECTOR_PF && protected_current && area_demand(read_cr2())) {
		sleep_on_demand();
		return;
	}
	if (frame->vector == VECTOR_PF || frame->vector == VECTOR_GP || frame->vector == VECTOR_SS)
		fixup = fixup_for(frame, &note);
	if (fixup) {
		frame->ip = fixup;
		if (calling())
			call_outcome->fixups++;
		return;
	}
	describe(frame, note, &fault);
	if (nmi == NMI_WATCHDOG_EXPIRED)
		fault.vector = FAULT_WATCHDOG;
	if (calling() && frame->vector != VECTOR_MC)
		give_up(frame, &fault);
	else
		die(&fault);
}
