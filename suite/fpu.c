/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/fpu.h"

#include "copies/params.h"
#include "suite/identity.h"
#include "suite/machine.h"

static const struct {
	const char *name, *needs;
} methods[SAVE_METHODS] = {
	[SAVE_FNSAVE] = { "fnsave", "fpu" },
	[SAVE_FXSAVE] = { "fxsave", "fxsr" },
	[SAVE_XSAVE] = { "xsave", "xsave" },
	[SAVE_XSAVEOPT] = { "xsaveopt", "xsave xsaveopt" },
	[SAVE_XSAVEC] = { "xsavec", "xsave xsavec" },
};

static enum fpu_method chosen;
static uint32_t components;
static bool sse;

static bool has(const char *needs)
{
	char word[16];

	return features_check(identity_cpuid(), needs, word, sizeof(word)) == NEEDS_MET;
}

const char *fpu_method_name(enum fpu_method method)
{
	return methods[method].name;
}

bool fpu_method_here(enum fpu_method method)
{
	return has(methods[method].needs);
}

enum fpu_method fpu_method_chosen(void)
{
	return chosen;
}

/* ------------------------------------------------------------ begin and end */

void fpu_begin_by(enum fpu_method method, struct fpu_state *area)
{
	fpu_save(method, components, area);
	fpu_clean(sse);
}

void fpu_end_by(enum fpu_method method, const struct fpu_state *area)
{
	fpu_restore(method, components, area);
}

/* One is enough: nothing interrupts a routine and calls another. */
static struct fpu_state saved;

static void begin(void)
{
	fpu_begin_by(chosen, &saved);
}

static void end(void)
{
	fpu_end_by(chosen, &saved);
}

void fpu_start(void)
{
	components = (uint32_t)machine_xcr0() & FPU_COMPONENTS;
	sse = has("sse");
	for (enum fpu_method m = SAVE_FNSAVE; m < SAVE_METHODS; m++)
		if (fpu_method_here(m))
			chosen = m;
	copy_params.fpu_begin = begin;
	copy_params.fpu_end = end;
}
