/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/status.h"

#include "suite/machine.h"
#include "tests/unit/test.h"

#include <string.h>

static void tell(const char *line)
{
	status_line(line, strlen(line));
}

TEST(status_of_a_run)
{
	machine_progress("contract", 3, 10);
	tell("ok 1 - contract rep_movsb to_user safe");
	CHECK_TEXT(status_text(),
		   "contract 3/10 [###.......] rep_movsb | ok 1 bad 0 skip 0 fault 0");
	tell("not ok 2 - contract int_unrolled to_user literal # TODO claims safe only");
	tell("ok 3 - contract avx512 from_user safe # SKIP needs avx512f");
	tell("not ok 4 - contract nocache from_user safe");
	tell("# FAULT: #PF page fault (vector 14, error code 0x2)");
	CHECK_TEXT(status_text(), "contract 3/10 [###.......] nocache | ok 1 bad 1 skip 1 fault 1");
	machine_progress("experiments", 0, 2);
	tell("# experiment size: every size from 1 byte");
	CHECK_TEXT(status_text(), "experiments 0/2 [..........] size | ok 1 bad 1 skip 1 fault 1");
	tell("BenchmarkCopy/exp=size/copy=rep_movsl/n=8192 62 1234.5 ns/op 6635.9 MB/s 2.0 "
	     "ticks/op");
	tell("BenchmarkCopy/exp=size/copy=byte_loop/n=8192 62 1234.5 ns/op 635 MB/s 2.0 ticks/op");
	CHECK_TEXT(status_text(), "experiments 0/2 [..........] size byte_loop | "
				  "ok 1 bad 1 skip 1 fault 1 | 6635.9 MB/s rep_movsl");
	tell("BenchmarkCopy/exp=size/copy=rep_movsl/n=8192 62 2.0 ticks/op");
	tell("BenchmarkCopy/exp=size");
	tell("");
	tell("METALCOPY END v1 lines=1 crc32=00000000 status=fail");
	CHECK_TEXT(status_text(), "FAILED | ok 1 bad 1 skip 1 fault 1 | 6635.9 MB/s rep_movsl");
}
