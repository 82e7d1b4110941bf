/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the hosted machine know of each other. */
#ifndef HOSTED_HOSTED_H
#define HOSTED_HOSTED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The user's half of the address space. User areas are mapped from
 * HOSTED_USER_AREAS up; the program, its libraries, stack and kernel areas all lie
 * above HOSTED_USER_LIMIT (main() checks), so a fault's address tells its side.
 */
#define HOSTED_USER_AREAS ((uintptr_t)1 << 43)
#define HOSTED_USER_LIMIT ((uintptr_t)1 << 44)

#define FLAG_TF (1u << 8)
#define FLAG_DF (1u << 10)
#define FLAG_NT (1u << 14)
#define FLAG_AC (1u << 18)

/* Writes all of a message to standard error and ends the process: for what makes a
 * run impossible before it starts. */
void hosted_refuse(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Whether this program and its memory lie where they lay in the last run. */
bool hosted_addresses_fixed(void);

/* Back traces end at the frame given, main()'s. */
void trap_start(const void *outermost_frame);

/* A routine was called: the watchdog counts these. Starts it where it sleeps. */
void trap_call_begins(void);

/* A timed call is in progress, the last of so many: the watchdog for calls stays asleep. */
extern bool trap_timing;
extern unsigned trap_timings;

/* Goes on where the registers say, from a handler whose signal came of an instruction: gregs and
 * fpregs of its context (hosted/resume.asm). */
_Noreturn void trap_resume(const long long *gregs, const void *fpregs);

/* Before the first call of a routine. */
void call_start(void);

#define CPUID1_ECX_OSXSAVE (1u << 27)

/* Maps the page that is there on demand (suite/machine.h) and at this address, if it is. */
bool area_demand(uintptr_t address);

/* The fixups taken, the pages mapped on demand, and the fault that gave the last call up. */
extern unsigned trap_fixups, trap_demanded;
extern struct fault trap_fault;

void clock_start(void);

/* Finds the CPUs that this process may use, before cpus_stay_on() leaves it but one of
 * them: the calling thread stays on that CPU, where it can. */
void cpus_start(void);
void cpus_stay_on(unsigned cpu);
unsigned cpus_used(void);
/* How many processes are of use at once, and lets the calling one run on any CPU. */
unsigned cpus_for_jobs(void);
void cpus_stay_on_none(void);

/* Where main()'s thread is, as Linux numbers CPUs; the one after `place`, in a circle, of those
 * that this process may use; and whether it has moved there: not where another thread of this
 * process is at work. A thread that had been given that CPU gets the other one. */
int cpus_place(void);
int cpus_after(int place);
bool cpus_move(int place);

/* In a process just forked for jobs: what does not come with it, or must not. */
void area_forked(void);
void trap_forked(void);
void output_forked(void);

/* Reads this program's symbol table, for machine_symbol(). */
void symbol_start(void);

#endif
