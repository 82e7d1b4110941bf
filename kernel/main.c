/* SPDX-License-Identifier: BSD-2-Clause */
/* From boot/entry.asm to the end of the run. */
#include "kernel/arch.h"
#include "kernel/call.h"
#include "kernel/kept.h"
#include "kernel/kernel.h"
#include "kernel/smp.h"
#include "lib/format.h"
#include "lib/option.h"
#include "lib/string.h"
#include "suite/suite.h"

GUARDED_STACK(kernel_stack, KERNEL_STACK_SIZE);

/* ------------------------------------------------------------ faults on demand */

static void write_to(uintptr_t address)
{
	__asm__ volatile("movb $0, (%0)" : : "r"(address) : "memory");
}

static void fault_null(void)
{
	write_to(8);
}

static void fault_stack(void)
{
	__asm__ volatile("1:	push $0\n"
			 "	jmp 1b");
}

static void fault_ud(void)
{
	__asm__ volatile("ud2");
}

static void fault_text(void)
{
	write_to((uintptr_t)text_start);
}

static void fault_hang(void)
{
	for (;;)
		__asm__ volatile("");
}

static void fault_timed(void)
{
	machine_time((uintptr_t)fault_hang, NULL, NULL, 0, 1);
}

static const struct {
	const char *name;
	void (*provoke)(void);
} faults[] = {
	{ "null", fault_null }, { "stack", fault_stack }, { "ud", fault_ud },
	{ "text", fault_text }, { "timed", fault_timed },
};

static void (*wanted_fault)(void);
static bool on_another; /* CPU */

#define ANOTHER "cpu1-"

static bool set_fault(const char *value)
{
	on_another = strncmp(value, ANOTHER, strlen(ANOTHER)) == 0;
	if (on_another)
		value += strlen(ANOTHER);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (strcmp(value, faults[i].name) == 0)
			wanted_fault = faults[i].provoke;
	return wanted_fault != NULL;
}
OPTION(fault, "[cpu1-]null|stack|ud|text|timed", "provoke a fault in the kernel, to see its report",
       set_fault);

static void provoke_there(void *unused)
{
	(void)unused;
	wanted_fault();
}

static void provoke(void)
{
	const char *why;

	if (!wanted_fault)
		return;
	if (!on_another)
		wanted_fault();
	if (!machine_cpu_run(1, provoke_there, NULL, &why))
		panic(why);
	machine_cpu_wait(1, 10000);
}

/* ------------------------------------------------------------ the order of things */

static void report_boot_problem(void)
{
	char line[160];

	if (!boot_info.problem)
		return;
	format(line, sizeof line, "# boot: %s (%s, %s)", boot_info.problem, boot_info.protocol,
	       boot_info.loader[0] ? boot_info.loader : "unknown loader");
	machine_write_line(line, strlen(line));
}

void kernel_main(uint32_t magic, uint32_t info)
{
	page_tables_start();
	descriptors_start(); /* a fault halts from here on, and no longer resets */
	boot_info_read(magic, info);
	options_parse(machine_command_line());
	console_early();
	report_boot_problem();
	cpu_start();
	call_start();
	memory_start();
	traps_start();
	core_start();
	console_start();
	quiet_start();
	clock_start();
	watchdog_start();
	smp_start();
	machine_identify();
	kept_start();
	provoke();
	end_run(suite_run());
}
