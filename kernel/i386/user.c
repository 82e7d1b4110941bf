/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways from user mode into a 32-bit kernel. */
#include "kernel/user.h"
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/i386/task.h"
#include "suite/machine.h"

/* SDM volume 3, 5.8.7. */
#define MSR_SYSENTER_CS  0x174u
#define MSR_SYSENTER_ESP 0x175u
#define MSR_SYSENTER_EIP 0x176u

#define EDX_SEP (1u << 11)

extern char user_call_sysenter[], user_entry_sysenter[], user_entry_sysenter_isolated[];
extern char user_call_int80[], user_entry_int80[], user_entry_int80_isolated[];

/* Early Pentium Pros say that they have it, and have not (SDM volume 2, SYSENTER). */
static bool has_sysenter(void)
{
	struct cpuid_regs basic = machine_cpuid(1, 0);
	uint32_t family = basic.eax >> 8 & 15, model = basic.eax >> 4 & 15;

	if (family == 6 && model < 3 && (basic.eax & 15) < 3)
		return false;
	return basic.edx & EDX_SEP;
}

static void start_sysenter(uintptr_t entry)
{
	wrmsr(MSR_SYSENTER_CS, SELECTOR_KERNEL_CODE);
	wrmsr(MSR_SYSENTER_ESP, entry_state.kernel_sp);
	wrmsr(MSR_SYSENTER_EIP, entry);
}

static bool always(void)
{
	return true;
}

const struct user_way user_ways[] = {
	{ "sysenter", (uintptr_t)user_call_sysenter, (uintptr_t)user_entry_sysenter,
	  (uintptr_t)user_entry_sysenter_isolated, has_sysenter, start_sysenter },
	{ "int80", (uintptr_t)user_call_int80, (uintptr_t)user_entry_int80,
	  (uintptr_t)user_entry_int80_isolated, always, descriptors_user_gate },
};
const unsigned user_way_count = sizeof user_ways / sizeof *user_ways;
