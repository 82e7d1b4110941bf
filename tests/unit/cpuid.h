/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recorded CPUID tables, one file a machine in tests/unit/cpuid/. A line is one of
 *
 *	# where it comes from
 *	l1d: 16384/4/32                                 what must be read from the table
 *	00000004.1 04000122 01c0003f 0000003f 00000001  leaf.subleaf eax ebx ecx edx
 *
 * Keys are those of the META lines, and "has" and "lacks" (features), "threads" (a
 * core, a package), "xcr0" (given, not read).
 */
#ifndef TESTS_UNIT_CPUID_H
#define TESTS_UNIT_CPUID_H

#include "suite/features.h"

#define CPUID_ROWS_MAX  96
#define CPUID_FACTS_MAX 24

struct cpuid_table {
	char name[64];
	size_t rows, facts;
	uint64_t xcr0;
	struct {
		uint32_t leaf, subleaf;
		struct cpuid_regs regs;
	} row[CPUID_ROWS_MAX];
	struct {
		char key[16], value[160];
	} fact[CPUID_FACTS_MAX];
};

/* Reads a file; ends the program with a message where it is not as above. */
void cpuid_table_load(const char *path, struct cpuid_table *table);

struct cpuid_regs cpuid_table_read(const struct cpuid_table *table, uint32_t leaf,
				   uint32_t subleaf);
struct cpuid_source cpuid_table_source(const struct cpuid_table *table);

#endif
