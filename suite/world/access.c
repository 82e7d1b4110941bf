/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/world/access.h"

#include "copies/params.h"
#include "lib/option.h"
#include "lib/string.h"
#include "suite/features.h"
#include "suite/identity.h"
#include "suite/record.h"

static enum { HARDEN_OFF, HARDEN_LFENCE, HARDEN_MASK } hardening;

static bool set_harden(const char *value)
{
	bool on;
	if (strcmp(value, "mask") == 0)
		hardening = HARDEN_MASK;
	else if (option_on_off(value, &on))
		hardening = on ? HARDEN_LFENCE : HARDEN_OFF;
	else
		return false;
	return true;
}
OPTION(harden, "on|off|mask",
       "user copies wait for their range check (lfence), or mask the address", set_harden);

/* lfence came with SSE2. */
static bool has_lfence(void)
{
	char word[16];
	return features_check(identity_cpuid(), "sse2", word, sizeof(word)) == NEEDS_MET;
}

void access_start(const char *experiment)
{
	if (hardening != HARDEN_LFENCE || has_lfence())
		return;
	record_text("%s: harden=on skipped: needs sse2, for lfence", experiment);
	hardening = HARDEN_OFF;
}

const char *access_hardening(void)
{
	return hardening == HARDEN_OFF ? "off" : hardening == HARDEN_LFENCE ? "lfence" : "mask";
}

/* All ones where address <= limit, else 0; without a branch that could be predicted. */
static uintptr_t mask_below(uintptr_t address, uintptr_t limit)
{
	uintptr_t mask;
	__asm__("cmp %1, %2\n\tsbb %0, %0\n\tnot %0"
		: "=r"(mask)
		: "r"(address), "r"(limit)
		: "cc");
	return mask;
}

bool access_ok(uintptr_t *address, size_t n)
{
	uintptr_t limit = copy_params.user_limit;
	if (n > limit || *address > limit - n)
		return false;
	if (hardening == HARDEN_LFENCE)
		__asm__ volatile("lfence" : : : "memory");
	else if (hardening == HARDEN_MASK)
		*address &= mask_below(*address, limit - n);
	return true;
}

size_t copy_out(const struct user_copy *copy, uintptr_t to, const void *from, size_t n)
{
	return access_ok(&to, n) ? copy->to_user((void *)to, from, n) : n;
}

size_t copy_in(const struct user_copy *copy, void *to, uintptr_t from, size_t n)
{
	return access_ok(&from, n) ? copy->from_user(to, (const void *)from, n) : n;
}
