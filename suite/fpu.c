/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/fpu.h"

#include "copies/params.h"
#include "lib/fpustate.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/record.h"
#include "suite/report.h"

static const struct {
	const char *name, *needs;
} methods[SAVE_METHODS] = {
	[SAVE_FNSAVE] = { "fnsave", "fpu" },
	[SAVE_FXSAVE] = { "fxsave", "fxsr" },
	[SAVE_XSAVE] = { "xsave", "xsave" },
	[SAVE_XSAVEOPT] = { "xsaveopt", "xsave xsaveopt" },
	[SAVE_XSAVEC] = { "xsavec", "xsave xsavec" },
};
static const char *lacks[SAVE_METHODS];
static uint32_t loses[SAVE_METHODS];

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

const char *fpu_method_lacks(enum fpu_method method)
{
	return lacks[method];
}

uint32_t fpu_method_loses(enum fpu_method method)
{
	return loses[method];
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

/* ------------------------------------------------------------ which of them work */

static size_t save_lose_restore(void *area, const void *unused, size_t method)
{
	(void)unused;
	fpu_begin_by((enum fpu_method)method, area);
	fpu_lose();
	fpu_end_by((enum fpu_method)method, area);
	return 0;
}

/* Bochs 2.7 announces an xsavec that stores over its own header, and xrstor faults. */
static void try(enum fpu_method method)
{
	static struct fpu_state areas[SAVE_METHODS];
	struct outcome out;

	if (!has(methods[method].needs)) {
		lacks[method] = "not on this CPU";
		return;
	}
	machine_call((uintptr_t)save_lose_restore, &areas[method], NULL, method, &out);
	loses[method] = out.fpu;
	if (out.returned)
		return;
	lacks[method] = "it faults";
	record_text("fpu: %s is not used: %s", methods[method].name,
		    report_summary(&out.fault).text);
}

void fpu_start(void)
{
	components = (uint32_t)machine_xcr0() & FPU_COMPONENTS;
	sse = has("sse");
	for (enum fpu_method m = SAVE_FNSAVE; m < SAVE_METHODS; m++) {
		try(m);
		if (!lacks[m] && !loses[m])
			chosen = m;
	}
	copy_params.fpu_begin = begin;
	copy_params.fpu_end = end;
}
