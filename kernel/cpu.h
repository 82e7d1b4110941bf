/* SPDX-License-Identifier: BSD-2-Clause */
/* One function for one instruction; what they are called is what the manuals call them. */
#ifndef KERNEL_CPU_H
#define KERNEL_CPU_H

#include <stdint.h>

#define CR0_MP (1u << 1)
#define CR0_EM (1u << 2)
#define CR0_TS (1u << 3)
#define CR0_NE (1u << 5)
#define CR0_WP (1u << 16)
#define CR0_AM (1u << 18)
#define CR0_NW (1u << 29)
#define CR0_CD (1u << 30)
#define CR0_PG (1u << 31)

#define CR4_PSE        (1u << 4)
#define CR4_PAE        (1u << 5)
#define CR4_MCE        (1u << 6)
#define CR4_PGE        (1u << 7)
#define CR4_OSFXSR     (1u << 9)
#define CR4_OSXMMEXCPT (1u << 10)
#define CR4_OSXSAVE    (1u << 18)
#define CR4_SMEP       (1u << 20)
#define CR4_SMAP       (1u << 21)

#define FLAG_TF (1u << 8)
#define FLAG_IF (1u << 9)
#define FLAG_DF (1u << 10)
#define FLAG_AC (1u << 18)

#define MSR_APIC_BASE 0x0000001bu
#define MSR_PAT       0x00000277u
#define MSR_EFER      0xc0000080u
#define EFER_SCE      (1u << 0)
#define EFER_LME      (1u << 8)
#define EFER_NXE      (1u << 11)

#define CONTROL_REGISTER(n)                                                                        \
	static inline uintptr_t read_cr##n(void)                                                   \
	{                                                                                          \
		uintptr_t value;                                                                   \
		__asm__ volatile("mov %%cr" #n ", %0" : "=r"(value));                              \
		return value;                                                                      \
	}                                                                                          \
	static inline void write_cr##n(uintptr_t value)                                            \
	{                                                                                          \
		__asm__ volatile("mov %0, %%cr" #n : : "r"(value) : "memory");                     \
	}
CONTROL_REGISTER(0)
CONTROL_REGISTER(2)
CONTROL_REGISTER(3)
CONTROL_REGISTER(4)
#undef CONTROL_REGISTER

static inline uintptr_t read_flags(void)
{
	uintptr_t flags;
	__asm__ volatile("pushf\n\tpop %0" : "=r"(flags));
	return flags;
}

static inline void invlpg(uintptr_t address)
{
	__asm__ volatile("invlpg (%0)" : : "r"(address) : "memory");
}

/* These fault where the MSR does not exist; msr_read() and msr_write() say so instead. */
static inline uint64_t rdmsr(uint32_t msr)
{
	uint32_t low, high;
	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return (uint64_t)high << 32 | low;
}

static inline void wrmsr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr"
			 :
			 : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

static inline uint64_t rdtsc(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static inline uint64_t xgetbv(uint32_t index)
{
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

static inline void xsetbv(uint32_t index, uint64_t value)
{
	__asm__ volatile("xsetbv"
			 :
			 : "c"(index), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)));
}

#define PORT(suffix, type)                                                                         \
	static inline type in##suffix(uint16_t port)                                               \
	{                                                                                          \
		type value;                                                                        \
		__asm__ volatile("in" #suffix " %1, %0" : "=a"(value) : "Nd"(port));               \
		return value;                                                                      \
	}                                                                                          \
	static inline void out##suffix(uint16_t port, type value)                                  \
	{                                                                                          \
		__asm__ volatile("out" #suffix " %0, %1" : : "a"(value), "Nd"(port));              \
	}
PORT(b, uint8_t)
PORT(w, uint16_t)
PORT(l, uint32_t)
#undef PORT

#endif
