/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/report.h"

#include "suite/record.h"
#include "suite/suite.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

TEST(faults_in_one_line)
{
	struct fault f = { .vector = 14, .error = 2, .address = 0xc0001000, .ip = 0x101c };

	CHECK_TEXT(report_summary(&f).text, "#PF page fault: supervisor write to 0xc0001000, not "
					    "present at rep_movsb.to_user+0x1c");
	f.error = 5;
	f.note = "no fixup";
	CHECK_TEXT(report_summary(&f).text,
		   "#PF page fault: user read of 0xc0001000, refused by its protection at "
		   "rep_movsb.to_user+0x1c; no fixup");
	f = (struct fault){ .vector = 13, .ip = 0x5000 };
	CHECK_TEXT(report_summary(&f).text, "#GP general protection at 0x5000");
	f.error = 0x103;
	CHECK_TEXT(report_summary(&f).text,
		   "#GP general protection: IDT entry 32, external event at 0x5000");
	f = (struct fault){ .vector = FAULT_WATCHDOG, .ip = 0x1000 };
	CHECK_TEXT(report_summary(&f).text, "watchdog: it never returned at rep_movsb.to_user+0x0");
	f = (struct fault){ .vector = 25, .ip = 0x1000 };
	CHECK_TEXT(report_summary(&f).text, "unexpected vector at rep_movsb.to_user+0x0");
}

TEST(a_death_leaves_a_whole_record)
{
	struct fault f = { .vector = 14,
			   .error = 0x11,
			   .address = 0xdead000,
			   .ip = 0x1008,
			   .sp = 0x2000,
			   .flags = 0x246,
			   .regs = 15,
			   .traced = 2,
			   .trace = { 0x1010, 0x9999 } };

	f.reg[0] = 0xabcdef;
	f.reg[14] = 15;
	record_end(); /* another test's */
	machine_forget();
	suite_died(&f); /* before START */
	CHECK_TEXT(machine_lines[0], "METALCOPY START v1");
	CHECK(machine_wrote_start("META version: 0.1.0"));
	CHECK(machine_wrote("META seed: n/a"));
	CHECK(machine_wrote("# FAULT: #PF page fault (vector 14, error code 0x11)"));
	CHECK(machine_wrote("#   supervisor execution at 0xdead000, refused by its protection"));
	CHECK(machine_wrote("#   at rep_movsb.to_user+0x8, ip 0x1008"));
	CHECK(machine_wrote("#   sp 0x2000 flags 0x246 cr2 0xdead000"));
	CHECK(machine_wrote_start("#   rax 0000000000abcdef  rbx 0000000000000000"));
	CHECK(machine_wrote(
		"#   r13 0000000000000000  r14 0000000000000000  r15 000000000000000f"));
	CHECK(machine_wrote("#   called from rep_movsb.to_user+0x10, 0x1010"));
	CHECK(machine_wrote("#   called from 0x9999, 0x9999"));
	CHECK(machine_wrote_start("METALCOPY END v1 "));
	CHECK(record_failed() && !record_open());
	machine_forget();
}
