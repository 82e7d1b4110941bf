/* SPDX-License-Identifier: BSD-2-Clause */
/* Who the machine is, for the record's META lines and for what depends on it. */
#ifndef SUITE_IDENTITY_H
#define SUITE_IDENTITY_H

#include "suite/cpu.h"
#include "suite/features.h"

/* Reads CPUID and fills copy_params. Once, before all else here. */
void identity_start(void);

const struct cpuid_source *identity_cpuid(void);
const struct cpu *identity_cpu(void);
enum timing_kind identity_timing(void);

/* "hardware", "virtual", "emulated" or "hosted". */
const char *identity_timing_name(void);

/* Under an emulator, a line that says what the figures near it are worth. To stand at
 * the top of a record and at each table. */
void identity_caution(void);

/* The META lines from cpu to firmware. */
void identity_print(void);

#endif
