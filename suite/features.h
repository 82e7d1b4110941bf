/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU features by the names that copies declare (`needs`), and whether a CPU and the
 * system on it offer them. Pure functions of CPUID and XCR0. */
#ifndef SUITE_FEATURES_H
#define SUITE_FEATURES_H

#include "suite/machine.h"

/* Where CPUID comes from: the machine, or a recorded table in tests. Any answer may be
 * given for leaves above the maximum that leaves 0 and 80000000h tell: none is used. */
struct cpuid_source {
	struct cpuid_regs (*read)(const void *context, uint32_t leaf, uint32_t subleaf);
	const void *context;
	uint64_t xcr0; /* as machine_xcr0() */
};

struct cpuid_regs cpuid_leaf(const struct cpuid_source *cpu, uint32_t leaf, uint32_t subleaf);

enum needs_verdict { NEEDS_MET, NEEDS_LACKING, NEEDS_UNKNOWN_NAME };

/*
 * Checks `needs`: words with spaces between them must all be there, of a word a|b|c
 * one. `word` (of `size` bytes) becomes the first word that is lacking or, with
 * NEEDS_UNKNOWN_NAME, the first name that no feature has; "" else. Names are checked
 * whether the CPU has the feature or not, so a misspelt one never hides.
 */
enum needs_verdict features_check(const struct cpuid_source *cpu, const char *needs, char *word,
				  size_t size);

#endif
