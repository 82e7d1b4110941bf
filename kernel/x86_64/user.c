/* SPDX-License-Identifier: BSD-2-Clause */
/* The one way from user mode into a 64-bit kernel that is in use: SYSCALL. */
#include "kernel/user.h"
#include "kernel/arch.h"
#include "kernel/cpu.h"

/* SDM volume 3, 5.8.8. */
#define MSR_STAR  0xc0000081u
#define MSR_LSTAR 0xc0000082u
#define MSR_FMASK 0xc0000084u

#define FLAG_NT   (1u << 14)
#define FLAG_IOPL (3u << 12)

extern char user_call_syscall[], user_entry_syscall[], user_entry_syscall_isolated[];

static bool always(void)
{
	return true;
}

/* SYSRET takes its code segment from 16 above the selector in STAR, the data segment from
 * 8 above. */
static void start_syscall(uintptr_t entry)
{
	wrmsr(MSR_STAR,
	      (uint64_t)(SELECTOR_USER_CODE32 | 3) << 48 | (uint64_t)SELECTOR_KERNEL_CODE << 32);
	wrmsr(MSR_LSTAR, entry);
	wrmsr(MSR_FMASK, FLAG_TF | FLAG_IF | FLAG_DF | FLAG_IOPL | FLAG_NT | FLAG_AC);
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SCE);
}

const struct user_way user_ways[] = {
	{ "syscall", (uintptr_t)user_call_syscall, (uintptr_t)user_entry_syscall,
	  (uintptr_t)user_entry_syscall_isolated, always, start_syscall },
};
const unsigned user_way_count = sizeof user_ways / sizeof *user_ways;
