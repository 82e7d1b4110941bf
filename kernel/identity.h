/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_IDENTITY_H
#define KERNEL_IDENTITY_H

#include <stdbool.h>

/* QEMU's configuration device is there (fw_cfg, ports 510h and 511h), under KVM too. */
bool qemu_is_here(void);

/* The CPUs are an emulator's. */
bool is_emulated(void);
/* Or a virtual machine's: threads of another machine either way, that may stand still. */
bool is_virtual(void);

/* As CPUID spells it: "GenuineIntel". */
bool vendor_is(const char *name);
/* With the extended family added in. */
unsigned cpu_family(void);

#endif
