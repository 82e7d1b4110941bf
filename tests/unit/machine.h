/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine as unit tests have it: it keeps what is written, and is what a test
 * says. */
#ifndef TESTS_UNIT_MACHINE_H
#define TESTS_UNIT_MACHINE_H

#include "suite/machine.h"

#define MACHINE_LINES_MAX 4096

/* Lines written since the last machine_forget(), without line ends. */
extern char *machine_lines[MACHINE_LINES_MAX];
extern size_t machine_line_count;

void machine_forget(void);

/* Is there a line that is, or starts with, this? */
bool machine_wrote(const char *line);
bool machine_wrote_start(const char *start);

/* The CPU that machine_cpuid() reads: a table of tests/unit/cpuid. */
struct cpuid_table;
extern const struct cpuid_table *machine_table;

/* Single pages that are taken now, and how many can be. */
extern size_t machine_pages_out, machine_pages_most;

/* Physical memory that a test brings. */
struct unit_memory {
	uint64_t address;
	const uint8_t *bytes;
	size_t size;
};
extern struct unit_memory unit_memory[2];

#endif
