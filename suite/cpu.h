/* SPDX-License-Identifier: BSD-2-Clause */
/* Who the CPU is, from CPUID alone. Pure functions: tests feed them recorded tables. */
#ifndef SUITE_CPU_H
#define SUITE_CPU_H

#include "suite/features.h"

/* `ways` of a fully associative cache or TLB; 0 is "not known", as everywhere here. */
#define WAYS_FULL 0xffffu

struct cpu_cache {
	uint64_t bytes; /* 0: there is none, or it is not known */
	uint32_t ways;
	uint32_t line; /* bytes */
};

struct cpu_tlb {
	uint32_t entries; /* for 4 KiB pages of data */
	uint32_t ways;
};

struct cpu {
	char vendor[13];
	char brand[49];                   /* "" where CPUID has none */
	uint32_t family, model, stepping; /* extended fields added in */
	bool hypervisor;                  /* CPUID says that there is one */
	char hypervisor_name[13];         /* of leaf 40000000h, "" where it has none */
	struct cpu_cache l1d, l2, l3;
	struct cpu_tlb dtlb, stlb;
	uint32_t threads_per_core, threads_per_package; /* 1 where CPUID does not say */
};

void cpu_identify(const struct cpuid_source *source, struct cpu *cpu);

/* How far figures can be trusted, from who lies below. */
enum timing_kind cpu_timing(const struct cpu *cpu, const struct machine_identity *identity);

/* As the record prints them: "49152/12/64", "1536/12", "n/a"; the ways are "full" or,
 * where not known, "?". */
struct cpu_text {
	char text[48];
};
struct cpu_text cpu_cache_text(const struct cpu_cache *cache);
struct cpu_text cpu_tlb_text(const struct cpu_tlb *tlb);

#endif
