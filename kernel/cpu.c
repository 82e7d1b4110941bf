/* SPDX-License-Identifier: BSD-2-Clause */
/* Turning on what the CPU has. */
#include "kernel/cpu.h"
#include "kernel/kernel.h"

struct cpu cpu;

enum { EDX_PSE = 1u << 3, EDX_MCE = 1u << 7, EDX_PGE = 1u << 13, EDX_PAT = 1u << 16 };
enum { EDX_FXSR = 1u << 24, EDX_SSE = 1u << 25, EDX_SSE2 = 1u << 26 };
enum { ECX_XSAVE = 1u << 26 };
enum { EBX_SMEP = 1u << 7, EBX_SMAP = 1u << 20 }; /* leaf 7 */
enum { EDX_NX = 1u << 20, EDX_1G = 1u << 26 };    /* leaf 8000_0001h */

/* XCR0 (SDM volume 1, 13.3). Not AMX: its state is 8 KiB of something that copies
 * nothing, and XSAVE would have to carry it. */
enum { XCR0_X87_SSE = 3, XCR0_AVX = 4, XCR0_AVX512 = 0xe0 };

static uint64_t start_xcr0(void)
{
	uint64_t has = machine_cpuid(0xd, 0).eax, want = XCR0_X87_SSE;

	if (has & XCR0_AVX)
		want |= XCR0_AVX;
	if ((has & XCR0_AVX512) == XCR0_AVX512 && has & XCR0_AVX)
		want |= XCR0_AVX512;
	xsetbv(0, want);
	return want;
}

/* Entry 1, write-through by default, becomes write-combining: the upper four entries
 * cannot be used on every old CPU (Pentium III errata on PAT). Entry 5 is write-through,
 * for the experiment that asks for it. */
static void start_pat(void)
{
	wrmsr(MSR_PAT, 0x0007040600070106);
}

void cpu_start(void)
{
	struct cpuid_regs basic = machine_cpuid(1, 0), more = machine_cpuid(7, 0);
	struct cpuid_regs extended = machine_cpuid(0x80000001, 0);
	uintptr_t cr4 = read_cr4() & (CR4_PSE | CR4_PAE);
	bool fxsr = basic.edx & EDX_FXSR;
	const char *why;

	/* With page tables of their own for user mode a global page would be one that the
	 * switch leaves reachable. */
	cpu.pge = basic.edx & EDX_PGE && !machine_user_isolated(&why);
	cpu.pat = basic.edx & EDX_PAT && msr_writes();
	cpu.smep = more.ebx & EBX_SMEP;
	cpu.smap = more.ebx & EBX_SMAP;
	cpu.sse = fxsr && basic.edx & EDX_SSE;
	cpu.sse2 = fxsr && basic.edx & EDX_SSE2;
	cpu.nx = extended.edx & EDX_NX && cr4 & CR4_PAE;
	cpu.pages_1g = extended.edx & EDX_1G && sizeof(void *) == 8;

	write_cr0((read_cr0() & ~(uintptr_t)(CR0_EM | CR0_TS | CR0_AM | CR0_NW | CR0_CD)) | CR0_MP |
		  CR0_NE | CR0_WP);
	write_cr4(cr4 | (basic.edx & EDX_PSE ? CR4_PSE : 0) | (basic.edx & EDX_MCE ? CR4_MCE : 0) |
		  (cpu.pge ? CR4_PGE : 0) | (fxsr ? CR4_OSFXSR : 0) |
		  (cpu.sse ? CR4_OSXMMEXCPT : 0) | (basic.ecx & ECX_XSAVE ? CR4_OSXSAVE : 0) |
		  (cpu.smep ? CR4_SMEP : 0) | (cpu.smap ? CR4_SMAP : 0));
	if (cpu.nx)
		wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_NXE);
	if (cpu.pat)
		start_pat();
	cpu.xcr0 = basic.ecx & ECX_XSAVE ? start_xcr0() : cpu.sse ? XCR0_X87_SSE : 1;
}

uint64_t machine_xcr0(void)
{
	return cpu.xcr0;
}
