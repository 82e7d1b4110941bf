/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs in user mode, with pti=on on page tables that lack the kernel's half but for
 * what an entry needs before it can switch: as kernels have done it since Meltdown.
 */
#include "kernel/user.h"

#include "kernel/arch.h"
#include "kernel/call.h"
#include "kernel/cpu.h"
#include "kernel/kernel.h"
#include "lib/call.h"
#include "lib/option.h"
#include "lib/string.h"

extern char user_text_start[], user_text_end[], user_image[]; /* linker.ld */
extern char entry_text_start[], entry_text_end[], entry_data_start[], entry_data_end[];
extern char entry_stacks_start[], entry_stacks_end[];

#define PROGRAM_STACK_SIZE 16384

ENTRY_STACK(user_entry_stack, 16384);

struct entry_state entry_state ENTRY_DATA;

static bool isolated; /* pti= */
static struct area program_stack;
static user_service *service;
static const struct user_way *started; /* what the processor was told last */

static bool set_pti(const char *value)
{
	return option_on_off(value, &isolated);
}
OPTION(pti, "on|off", "programs in user mode run on page tables without the kernel (off)", set_pti);

bool machine_user_isolated(const char **why)
{
	*why = NULL;
	return isolated;
}

bool is_user_code(uintptr_t address)
{
	return address >= (uintptr_t)user_text_start && address < (uintptr_t)user_text_end;
}

/* ------------------------------------------------------------ page tables */

static bool share(uint64_t tables, const char *start, const char *end)
{
	return page_tables_share(tables, (uintptr_t)start, (size_t)(end - start));
}

/* The tables for user mode, to be called whenever user pages may have come or gone. */
static bool isolate(void)
{
	static uint64_t tables;

	if (!tables) {
		tables = page_tables_second();
		if (!tables || !share(tables, entry_text_start, entry_text_end) ||
		    !share(tables, entry_data_start, entry_data_end) ||
		    !share(tables, entry_stacks_start, entry_stacks_end))
			return false;
	}
	page_tables_share_user(tables);
	entry_state.user_cr3 = (uintptr_t)tables;
	return true;
}

/* ------------------------------------------------------------ start */

/* Once, before the first program. */
static bool prepare(const char **why)
{
	if (program_stack.base)
		return true;
	entry_state.kernel_sp = (uintptr_t)&user_entry_stack.stack[sizeof user_entry_stack.stack];
	entry_state.user_cr3 = entry_state.kernel_cr3;
	descriptors_user_stack(entry_state.kernel_sp);
	*why = "no memory for page tables";
	if (!page_map((uintptr_t)user_text_start, (uintptr_t)user_image - KERNEL_BASE,
		      (size_t)(user_text_end - user_text_start), PAGE_USER | PAGE_EXECUTE))
		return false;
	return machine_area_map(AREA_USER, ACCESS_READ_WRITE, PROGRAM_STACK_SIZE, &program_stack,
				why);
}

static const struct user_way *find_way(const char *name)
{
	for (unsigned i = 0; i < user_way_count; i++)
		if (strcmp(user_ways[i].name, name) == 0 && user_ways[i].present())
			return &user_ways[i];
	return NULL;
}

const char *machine_user_entry(unsigned i)
{
	for (unsigned way = 0; way < user_way_count; way++)
		if (user_ways[way].present() && i-- == 0)
			return user_ways[way].name;
	return NULL;
}

/* ------------------------------------------------------------ running */

uintptr_t user_service_call(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	watchdog_progress();
	if (number == USER_EXIT)
		user_leave(a);
	return service(number, a, b, c);
}

bool machine_user_run(const struct user_run *run, struct outcome *out, const char **why)
{
	const struct user_way *way = find_way(run->entry);

	*out = (struct outcome){ 0 };
	*why = "no such way into the kernel";
	if (!way || !prepare(why))
		return false;
	*why = "no memory for page tables";
	if (isolated && !isolate())
		return false;
	struct user_start start = {
		.program = (uintptr_t)run->program,
		.call = way->call,
		.argument = (uintptr_t)run->argument,
		.stack = (uintptr_t)program_stack.base + program_stack.size,
	};
	struct protected_call call = { .entry = (uintptr_t)user_enter, .to = (uintptr_t)&start };
	if (way != started)
		way->start(isolated ? way->entry_isolated : way->entry);
	started = way;
	service = run->service;
	call_outcome = out;
	call_frame = (uintptr_t)__builtin_frame_address(0);
	if (!timing)
		watchdog_set();
	protected_call(&call);
	if (!timing)
		watchdog_clear();
	out->returned = call.returned;
	out->residue = call.result;
	return true;
}
