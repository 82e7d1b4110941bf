/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Faults of a routine under test arrive as signals and are treated as the kernel
 * treats a trap: to the fixup where the exception table has one and the address is
 * the user's, back to protected_unwind() otherwise. Outside a protected call a
 * fault ends the run.
 */
#include "hosted/hosted.h"
#include "lib/call.h"
#include "lib/extable.h"
#include "lib/fpustate.h"
#include "suite/machine.h"
#include "suite/suite.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#define VECTOR_SS 12
#define VECTOR_GP 13
#define VECTOR_PF 14

/* A routine is given up when it makes no progress from one tick to the next; time
 * is this process's own, so that a busy machine hangs nobody. */
#define WATCHDOG_TICK_US 100000

/* A tick so rare disturbs nothing that is timed: what is found running by two of them, and
 * has used up this time of the process, ends the run. */
#define TIMED_TICK_S 5

bool trap_timing;
unsigned trap_timings;
unsigned trap_fixups, trap_demanded;
struct fault trap_fault;

extern const char __executable_start[], etext[];
static struct extable_sorted *extable;
static size_t extable_count;
static uintptr_t outermost;
static volatile sig_atomic_t watchdog_awake;
static volatile unsigned long calls;

static int in_code(uintptr_t ip)
{
	return ip >= (uintptr_t)__executable_start && ip < (uintptr_t)etext;
}

static uintptr_t fixup_of(uintptr_t ip)
{
	return extable_find(extable, extable_count, ip);
}

/* Frame pointers are followed only through the stack itself: a routine may leave
 * anything in rbp. */
static void trace_back(struct fault *f, uintptr_t frame)
{
	f->traced = 0;
	for (uintptr_t low = f->sp; f->traced < FAULT_TRACE; low = frame + 1) {
		if (frame < low || frame > outermost || frame % sizeof(uintptr_t))
			return;
		const uintptr_t *words = (const uintptr_t *)frame;
		f->trace[f->traced++] = words[1];
		frame = words[0];
	}
}

static void describe(struct fault *f, const mcontext_t *m, const char *note)
{
	static const int order[FAULT_REGISTERS] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI,
						    REG_RDI, REG_RBP, REG_R8,  REG_R9,  REG_R10,
						    REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
	const greg_t *g = m->gregs;
	*f = (struct fault){ .vector = (uint32_t)g[REG_TRAPNO],
			     .error = (uint32_t)g[REG_ERR],
			     .ip = (uintptr_t)g[REG_RIP],
			     .sp = (uintptr_t)g[REG_RSP],
			     .flags = (uintptr_t)g[REG_EFL],
			     .regs = 15,
			     .note = note };
	if (f->vector == VECTOR_PF)
		f->address = (uintptr_t)g[REG_CR2];
	for (unsigned i = 0; i < f->regs; i++)
		f->reg[i] = (uintptr_t)g[order[i]];
	trace_back(f, (uintptr_t)g[REG_RBP]);
}

/* Why no fixup is taken for this trap, or NULL where one may be. */
static const char *refused(uint32_t vector, uintptr_t address)
{
	if (vector == VECTOR_GP || vector == VECTOR_SS)
		return NULL;
	if (vector != VECTOR_PF)
		return "no fixup is taken for this exception";
	return address < HOSTED_USER_LIMIT ? NULL : "kernel address: no fixup is taken";
}

static void give_up(mcontext_t *m, const char *note)
{
	if (!protected_current) {
		struct fault f;
		describe(&f, m, note);
		suite_died(&f);
		_exit(EXIT_FAILURE);
	}
	describe(&trap_fault, m, note);
	m->gregs[REG_EFL] &= ~(greg_t)FLAG_TF;
	m->gregs[REG_RSP] = (greg_t)protected_current->sp;
	m->gregs[REG_RIP] = (greg_t)(uintptr_t)protected_unwind;
}

/* The kernel clears DF and TF for a handler but leaves AC, under which the C code below would
 * trap at its first unaligned access, and NT, under which IRETQ does (SDM volume 2, IRET).
 * POPFQ is slow, and both are rare. */
static inline void clear_flags(const mcontext_t *m)
{
	if (m->gregs[REG_EFL] & (FLAG_AC | FLAG_NT))
		__asm__ volatile("pushfq\n\tandq %0, (%%rsp)\n\tpopfq"
				 :
				 : "i"(~(long)(FLAG_AC | FLAG_NT))
				 : "memory", "cc");
}

static bool demand_loses_fpu;

void machine_demand_keeps_fpu(bool keeps)
{
	demand_loses_fpu = !keeps;
}

/* The system has saved what was interrupted, and loads it again when the handler is done. */
static void sleep_on_demand(mcontext_t *m)
{
	if (demand_loses_fpu)
		fpu_lose_image(m->fpregs);
	else
		fpu_sleep();
	trap_demanded++;
}

static void take_trap(mcontext_t *m)
{
	if (m->gregs[REG_TRAPNO] == VECTOR_PF && protected_current &&
	    area_demand((uintptr_t)m->gregs[REG_CR2])) {
		sleep_on_demand(m);
		return;
	}
	const char *note = refused((uint32_t)m->gregs[REG_TRAPNO], (uintptr_t)m->gregs[REG_CR2]);
	uintptr_t fixup = 0;
	if (!note && protected_current)
		fixup = fixup_of((uintptr_t)m->gregs[REG_RIP]);
	if (fixup) {
		trap_fixups++;
		m->gregs[REG_RIP] = (greg_t)fixup;
	} else {
		give_up(m, note);
	}
}

_Static_assert(REG_R8 == 0 && REG_R15 == 7 && REG_RDI == 8 && REG_RSI == 9 && REG_RBP == 10 &&
		       REG_RBX == 11 && REG_RDX == 12 && REG_RAX == 13 && REG_RCX == 14 &&
		       REG_RSP == 15 && REG_RIP == 16 && REG_EFL == 17,
	       "hosted/resume.asm reads them so");

/* A trap leaves nothing that rt_sigreturn would have to do besides: no signal is blocked, and
 * no system call was interrupted. What was sent from outside may have interrupted one. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)number;
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
	clear_flags(m);
	if (info->si_code <= 0) {
		/* no trap of ours, and not to be taken for one */
		give_up(m, "signal sent from outside");
		/* if it came in the middle of a tick, that does not end */
		sigdelset(&((ucontext_t *)context)->uc_sigmask, SIGPROF);
		return;
	}
	take_trap(m);
	trap_resume(m->gregs, m->fpregs);
}

static void set_watchdog(long microseconds)
{
	struct itimerval timer = { .it_interval.tv_usec = microseconds,
				   .it_value.tv_usec = microseconds };
	setitimer(ITIMER_PROF, &timer, NULL);
}

void trap_call_begins(void)
{
	calls++;
	if (!watchdog_awake && !trap_timing) {
		watchdog_awake = 1;
		set_watchdog(WATCHDOG_TICK_US);
	}
}

/* Timers are not inherited. */
void trap_forked(void)
{
	watchdog_awake = 0;
}

/* It goes back to sleep when nobody calls, so that timed regions see no ticks. */
static void on_watchdog(int number, siginfo_t *info, void *context)
{
	static unsigned long calls_before;
	(void)number;
	clear_flags(&((ucontext_t *)context)->uc_mcontext);
	if (info->si_code <= 0)
		return; /* sent from outside: no tick */
	if (calls != calls_before) {
		calls_before = calls;
	} else if (protected_current) {
		mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
		give_up(m, "did not return");
		trap_fault.vector = FAULT_WATCHDOG;
		trap_fault.error = 0;
		trap_fault.address = 0;
	} else {
		watchdog_awake = 0;
		set_watchdog(0);
	}
}

static void on_timed_watchdog(int number, siginfo_t *info, void *context)
{
	static unsigned timings_before;
	(void)number;
	clear_flags(&((ucontext_t *)context)->uc_mcontext);
	if (info->si_code <= 0)
		return; /* sent from outside: no tick */
	if (trap_timing && trap_timings == timings_before) {
		struct fault f;
		describe(&f, &((ucontext_t *)context)->uc_mcontext, "did not return");
		f.vector = FAULT_WATCHDOG;
		f.error = 0;
		f.address = 0;
		suite_died(&f);
		_exit(EXIT_FAILURE);
	}
	timings_before = trap_timings;
}

static void build_extable(void)
{
	extable_count = (size_t)(__stop_extable - __start_extable);
	extable = calloc(extable_count + 1, sizeof(*extable));
	if (!extable)
		hosted_refuse("no memory for the exception table");
	uintptr_t bad;
	enum extable_fault fault =
		extable_build(__start_extable, extable_count, extable, in_code, &bad);
	if (fault == EXTABLE_OK)
		return;
	uintptr_t offset = 0;
	const char *name = machine_symbol(bad, &offset);
	hosted_refuse("exception table: %s entry for %#lx (%s+%#lx)",
		      fault == EXTABLE_DUPLICATE ? "a second" : "a stranger's", (unsigned long)bad,
		      name ? name : "?", (unsigned long)offset);
}

/* The system looks at restartable sequences at every signal, which costs a fault 4 in 100 and
 * serves nobody here. Where they can't be given up, all is as well. */
static void give_up_sequences(void)
{
#if __has_include(<sys/rseq.h>)
	const size_t registered = 32; /* by glibc; another size is refused */
	char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
	if (__rseq_size)
		syscall(SYS_rseq, area, registered, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
#endif
}

/* Its own pages, so that a handler that overruns faults instead of writing on. */
static void give_signals_a_stack(void)
{
	size_t size = 256 * 1024;
	char *space = mmap(NULL, size + MACHINE_PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (space == MAP_FAILED)
		hosted_refuse("no memory for a signal stack");
	mprotect(space, MACHINE_PAGE, PROT_NONE);
	stack_t stack = { .ss_sp = space + MACHINE_PAGE, .ss_size = size };
	sigaltstack(&stack, NULL);
}

void trap_start(const void *outermost_frame)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
	outermost = (uintptr_t)outermost_frame;
	build_extable();
	give_up_sequences();
	give_signals_a_stack();
	/* a handler that gives a routine up does not return to it, so nothing may stay blocked */
	struct sigaction action = { .sa_sigaction = on_fault,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigaction(faults[i], &action, NULL);
	action.sa_sigaction = on_watchdog;
	/* these return to the system, which lifts the block; nested, many would fill their stack */
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigaction(SIGPROF, &action, NULL);
	action.sa_sigaction = on_timed_watchdog;
	sigaction(SIGVTALRM, &action, NULL);
	struct itimerval timer = { .it_interval.tv_sec = TIMED_TICK_S,
				   .it_value.tv_sec = TIMED_TICK_S };
	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}
