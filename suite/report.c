/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/report.h"

#include "lib/format.h"
#include "lib/option.h"
#include "suite/identity.h"
#include "suite/record.h"
#include "suite/suite.h"

#define PAGE_FAULT 14

/* SDM volume 3, table 6-1; 9, 15 and 22 to 27 are reserved. */
static const char *vector_name(uint32_t vector)
{
	static const char *const names[] = {
		"#DE divide error",
		"#DB debug",
		"NMI",
		"#BP breakpoint",
		"#OF overflow",
		"#BR bound range",
		"#UD invalid opcode",
		"#NM device not available",
		"#DF double fault",
		NULL,
		"#TS invalid TSS",
		"#NP segment not present",
		"#SS stack fault",
		"#GP general protection",
		"#PF page fault",
		NULL,
		"#MF x87 error",
		"#AC alignment check",
		"#MC machine check",
		"#XM SIMD error",
		"#VE virtualization exception",
		"#CP control protection",
		[28] = "#HV hypervisor injection",
		[29] = "#VC VMM communication",
		[30] = "#SX security exception",
	};

	if (vector == FAULT_WATCHDOG)
		return "watchdog: it never returned";
	if (vector == FAULT_PANIC)
		return "panic";
	if (vector < sizeof(names) / sizeof(names[0]) && names[vector])
		return names[vector];
	return "unexpected vector";
}

/* SDM volume 3, 4.7: the error code of a page fault. */
static struct report_text page_fault_text(const struct fault *f)
{
	struct report_text out;
	const char *why = f->error & 1 << 3    ? "a reserved bit set in a table"
			  : f->error & 1 << 5  ? "refused by a protection key"
			  : f->error & 1 << 6  ? "a shadow-stack access"
			  : f->error & 1 << 15 ? "refused by SGX"
			  : f->error & 1       ? "refused by its protection"
					       : "not present";

	format(out.text, sizeof(out.text), "%s %s 0x%lx, %s",
	       f->error & 1 << 2 ? "user" : "supervisor",
	       f->error & 1 << 4   ? "execution at"
	       : f->error & 1 << 1 ? "write to"
				   : "read of",
	       (unsigned long)f->address, why);
	return out;
}

/* SDM volume 3, 6.13: the others that push one push a selector. */
static struct report_text selector_text(const struct fault *f)
{
	struct report_text out;

	format(out.text, sizeof(out.text), "%s entry %u%s",
	       f->error & 2   ? "IDT"
	       : f->error & 4 ? "LDT"
			      : "GDT",
	       f->error >> 3 & 0x1fff, f->error & 1 ? ", external event" : "");
	return out;
}

static struct report_text error_text(const struct fault *f)
{
	if (f->vector == PAGE_FAULT)
		return page_fault_text(f);
	if (f->vector >= 10 && f->vector <= 13 && f->error)
		return selector_text(f);
	return (struct report_text){ "" };
}

/* "rep_movsb.to_user+0x1c", or the bare address. */
static struct report_text place_text(uintptr_t ip)
{
	struct report_text out;
	uintptr_t offset = 0;
	const char *name = machine_symbol(ip, &offset);

	if (name)
		format(out.text, sizeof(out.text), "%s+0x%lx", name, (unsigned long)offset);
	else
		format(out.text, sizeof(out.text), "0x%lx", (unsigned long)ip);
	return out;
}

struct report_text report_summary(const struct fault *f)
{
	struct report_text out, error = error_text(f);

	format(out.text, sizeof(out.text), "%s%s%s at %s%s%s", vector_name(f->vector),
	       error.text[0] ? ": " : "", error.text, place_text(f->ip).text, f->note ? "; " : "",
	       f->note ? f->note : "");
	return out;
}

static void print_registers(const struct fault *f)
{
	static const char *const wide[FAULT_REGISTERS] = { "rax", "rbx", "rcx", "rdx", "rsi",
							   "rdi", "rbp", "r8",  "r9",  "r10",
							   "r11", "r12", "r13", "r14", "r15" };
	char line[RECORD_LINE_MAX];
	int digits = sizeof(uintptr_t) * 2, n = 0;

	for (unsigned i = 0; i < f->regs && i < FAULT_REGISTERS && wide[i]; i++) {
		const char *name = wide[i] + (sizeof(uintptr_t) == 4); /* eax is named as rax */

		n += format(line + n, sizeof(line) - (size_t)n, "  %s%-3s %0*lx",
			    sizeof(uintptr_t) == 4 ? "e" : "", name, digits,
			    (unsigned long)f->reg[i]);
		if (i % 4 == 3 || i + 1 == f->regs) {
			record_text("%s", line);
			n = 0;
		}
	}
}

void report_fault(const struct fault *f)
{
	struct report_text error = error_text(f);

	record_text("FAULT: %s (vector %u, error code 0x%x)", vector_name(f->vector), f->vector,
		    f->error);
	if (error.text[0])
		record_text("  %s", error.text);
	if (f->cpu)
		record_text("  on CPU %u", f->cpu);
	record_text("  at %s, ip 0x%lx", place_text(f->ip).text, (unsigned long)f->ip);
	if (f->note)
		record_text("  %s", f->note);
	record_text("  sp 0x%lx flags 0x%lx cr2 0x%lx", (unsigned long)f->sp,
		    (unsigned long)f->flags, (unsigned long)f->address);
	print_registers(f);
	for (unsigned i = 0; i < f->traced && i < FAULT_TRACE; i++)
		record_text("  called from %s, 0x%lx", place_text(f->trace[i]).text,
			    (unsigned long)f->trace[i]);
}

/* The fault comes first: to say what machine it was may be the next one. */
void suite_died(const struct fault *fault)
{
	static bool dying;
	bool early = !record_open() && !dying;

	if (early)
		record_start();
	record_fail();
	if (dying) {
		record_text("FAULT: another one while the first was reported");
	} else {
		dying = true;
		report_fault(fault);
		record_text("the run died");
		if (early) {
			identity_start();
			identity_print();
			record_meta("args", "%s", options_text()[0] ? options_text() : "none");
		}
	}
	record_end();
}
