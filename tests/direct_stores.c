/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gives the hosted program a CPU with MOVDIRI, MOVDIR64B and CLDEMOTE, so that copies with
 * them can be run where neither the CPU nor an emulator has them. CLDEMOTE is a hint, and
 * older CPUs take it for a no-operation. The other two are #UD there; the handler does
 * what they do (SDM volume 2). Linked with --wrap=machine_cpuid,--wrap=sigaction.
 */
#include "suite/machine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

struct cpuid_regs __real_machine_cpuid(uint32_t leaf, uint32_t subleaf);
struct cpuid_regs __wrap_machine_cpuid(uint32_t leaf, uint32_t subleaf);
int __real_sigaction(int number, const struct sigaction *action, struct sigaction *old);
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old);

#define CPUID7_ECX_CLDEMOTE  (1u << 25)
#define CPUID7_ECX_MOVDIRI   (1u << 27)
#define CPUID7_ECX_MOVDIR64B (1u << 28)

struct cpuid_regs __wrap_machine_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = __real_machine_cpuid(leaf, subleaf);

	if (leaf == 7 && subleaf == 0)
		r.ecx |= CPUID7_ECX_CLDEMOTE | CPUID7_ECX_MOVDIRI | CPUID7_ECX_MOVDIR64B;
	return r;
}

static void (*on_fault)(int, siginfo_t *, void *); /* the program's own */
static const ucontext_t *volatile emulated;        /* what is interrupted, meanwhile */

/* ------------------------------------------------------------ the instructions */

/* In the order of their numbers in an instruction. */
static const int registers[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
				   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
				   REG_R12, REG_R13, REG_R14, REG_R15 };

struct instruction {
	bool is_64b, wide;
	unsigned reg, base;
	int32_t displacement;
	size_t length;
};

/* [base + displacement] alone: nobody here writes it another way. */
static bool decode(const uint8_t *code, struct instruction *in)
{
	const uint8_t *at = code;
	uint8_t rex = 0;
	*in = (struct instruction){ .is_64b = *at == 0x66 };
	at += in->is_64b;
	if ((*at & 0xf0) == 0x40)
		rex = *at++;
	if (at[0] != 0x0f || at[1] != 0x38 || at[2] != (in->is_64b ? 0xf8 : 0xf9))
		return false;
	uint8_t mod = at[3] >> 6, rm = at[3] & 7;
	in->wide = rex >> 3 & 1;
	in->reg = (at[3] >> 3 & 7) | (rex << 1 & 8);
	in->base = rm | (rex << 3 & 8);
	at += 4;
	if (mod == 3 || rm == 4 || (mod == 0 && rm == 5))
		return false;
	if (mod == 1)
		in->displacement = (int8_t)*at++;
	if (mod == 2) {
		memcpy(&in->displacement, at, 4);
		at += 4;
	}
	in->length = (size_t)(at - code);
	return true;
}

/* By words, each of which may fault. */
static void move(volatile uint64_t *to, const volatile uint64_t *from)
{
	uint64_t line[8];
	for (int i = 0; i < 8; i++)
		line[i] = from[i];
	for (int i = 0; i < 8; i++)
		to[i] = line[i];
}

static void on_ud(int number, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
	struct instruction in;

	if (!decode((const uint8_t *)g[REG_RIP], &in)) {
		on_fault(number, info, context);
		return;
	}
	greg_t reg = g[registers[in.reg]], memory = g[registers[in.base]] + in.displacement;
	if (in.is_64b && reg % 64)
		abort(); /* #GP */
	emulated = context;
	if (in.is_64b)
		move((uint64_t *)reg, (const uint64_t *)memory);
	else if (in.wide)
		*(volatile uint64_t *)memory = (uint64_t)reg;
	else
		*(volatile uint32_t *)memory = (uint32_t)reg;
	emulated = NULL;
	g[REG_RIP] += (greg_t)in.length;
}

/* Where in its state of the FPU Linux says how large that is. */
#define FPU_SOFTWARE 464

/* A fault of what is emulated is one of the instruction itself: it comes with the registers
 * of that, and goes on from there. */
static void on_access(int number, siginfo_t *info, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;

	if (emulated) {
		const mcontext_t *was = &emulated->uc_mcontext;
		const struct _fpx_sw_bytes *fpu =
			(const void *)((const char *)was->fpregs + FPU_SOFTWARE);
		for (int i = 0; i < 16; i++)
			m->gregs[registers[i]] = was->gregs[registers[i]];
		m->gregs[REG_RIP] = was->gregs[REG_RIP];
		m->gregs[REG_EFL] = was->gregs[REG_EFL];
		memcpy(m->fpregs, was->fpregs,
		       fpu->magic1 == FP_XSTATE_MAGIC1 ? fpu->xstate_size : sizeof(*was->fpregs));
		emulated = NULL;
	}
	on_fault(number, info, context);
}

int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction ours = *action;

	if (number == SIGILL || number == SIGSEGV || number == SIGBUS) {
		on_fault = action->sa_sigaction;
		ours.sa_sigaction = number == SIGILL ? on_ud : on_access;
	}
	return __real_sigaction(number, &ours, old);
}
