/* SPDX-License-Identifier: BSD-2-Clause */
/* There is no user mode below a process's own: a program is called as a function, and
 * its calls are function calls. */
#include "hosted/hosted.h"
#include "lib/call.h"
#include "lib/option.h"
#include "suite/machine.h"

static user_service *service;

static bool isolation_wanted;

static bool set_pti(const char *value)
{
	return option_on_off(value, &isolation_wanted);
}
OPTION(pti, "on|off", "means nothing here: a process has no page tables to switch", set_pti);

bool machine_user_isolated(const char **why)
{
	*why = isolation_wanted ? "a process has no page tables to switch" : NULL;
	return false;
}

const char *machine_user_entry(unsigned i)
{
	return i == 0 ? "function" : NULL;
}

static uintptr_t call_service(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	trap_call_begins();
	return service(number, a, b, c);
}

bool machine_user_run(const struct user_run *run, struct outcome *out, const char **why)
{
	struct protected_call call = { .entry = (uintptr_t)run->program,
				       .to = (uintptr_t)call_service,
				       .from = (uintptr_t)run->argument };
	*why = NULL;
	*out = (struct outcome){ 0 };
	service = run->service;
	trap_fixups = 0;
	trap_call_begins();
	protected_call(&call);
	out->returned = call.returned;
	out->fixups = trap_fixups;
	if (call.returned)
		out->residue = call.result;
	else
		out->fault = trap_fault;
	return true;
}
