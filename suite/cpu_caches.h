/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of suite/cpu.c that decodes caches and TLBs. */
#ifndef SUITE_CPU_CACHES_H
#define SUITE_CPU_CACHES_H

#include "suite/cpu.h"

/*
 * Fills l1d, l2, l3, dtlb and stlb of *cpu, which must be zero, from the leaves that
 * are the vendor's: AMD's 8000001Dh, 80000005h, 80000006h and 80000019h; else leaves
 * 4, 18h and 2, and those of AMD where these say nothing (VIA, Transmeta). What no CPU
 * can have is taken as not known.
 */
void cpu_caches(const struct cpuid_source *source, bool amd, struct cpu *cpu);

#endif
