/* SPDX-License-Identifier: BSD-2-Clause */
/* The record and its TAP lines, as they reach the machine. */
#include "suite/record.h"

#include "lib/crc32.h"
#include "suite/tap.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

static const char *last(void)
{
	return machine_lines[machine_line_count - 1];
}

/* Reads the record back by the rules of docs/RECORD.md alone. */
static void check_record(const char *status)
{
	uint32_t crc = 0, said_crc;
	unsigned lines = 0, said, since_mark = 0;
	char want[80];
	bool in_yaml = false;

	CHECK_TEXT(machine_lines[0], "METALCOPY START v1");
	for (size_t i = 1; i + 1 < machine_line_count; i++) {
		const char *line = machine_lines[i];

		CHECK(strlen(line) <= RECORD_LINE_MAX);
		for (const char *c = line; *c; c++)
			CHECK(*c >= ' ' && *c <= '~');
		if (sscanf(line, "META mark: lines=%u crc32=%x", &said, &said_crc) == 2) {
			CHECK_NUMBER(said, lines);
			CHECK_NUMBER(said_crc, crc);
			CHECK(!in_yaml);
			since_mark = 0;
		}
		CHECK(since_mark <= 100);
		in_yaml = (in_yaml || strcmp(line, "  ---") == 0) && strcmp(line, "  ...") != 0;
		crc = crc32(crc, line, strlen(line));
		crc = crc32(crc, "\n", 1);
		lines++;
		since_mark++;
	}
	snprintf(want, sizeof(want), "METALCOPY END v1 lines=%u crc32=%08x status=%s", lines, crc,
		 status);
	CHECK_TEXT(last(), want);
}

static void start(void)
{
	machine_forget();
	record_start();
}

TEST(empty_record_has_every_key)
{
	start();
	record_end();
	CHECK_TEXT(machine_lines[2][0] == 'g' ? machine_lines[1] : "", "goos: metal");
	CHECK_TEXT(machine_lines[2], "goarch: amd64");
	CHECK_TEXT(machine_lines[3], "pkg: metalcopy");
	CHECK_TEXT(machine_lines[4], "META cpu: n/a");
	CHECK(machine_wrote("META tsc-hz: n/a"));
	CHECK(machine_wrote("META disturbed: n/a"));
	CHECK_NUMBER(machine_line_count, 1 + 3 + 21 + 1);
	check_record("pass");
	record_end();
	CHECK_NUMBER(machine_line_count, 1 + 3 + 21 + 1);
	machine_forget();
}

TEST(marks_come_every_100_lines)
{
	start();
	for (unsigned i = 0; i < 1000; i++)
		record_text("line %u", i);
	record_end();
	check_record("pass");
	CHECK_NUMBER(strncmp(machine_lines[101], "META mark: lines=100 ", 21), 0);
	CHECK_NUMBER(strncmp(machine_lines[201], "META mark: lines=200 ", 21), 0);
	machine_forget();
}

TEST(lines_are_cut_and_cleaned)
{
	char text[400];

	start();
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	record_line("%s", text);
	CHECK_NUMBER(strlen(last()), RECORD_LINE_MAX);
	CHECK_TEXT(last() + RECORD_LINE_MAX - 4, "x...");
	text[RECORD_LINE_MAX] = '\0';
	record_line("%s", text);
	CHECK_TEXT(last(), text);
	record_line("a\tb\nc\xe9%c", 127);
	CHECK_TEXT(last(), "a?b?c??");
	record_end();
	check_record("pass");
	machine_forget();
}

TEST(yaml_blocks_stay_whole_and_marks_close)
{
	start();
	tap_start();
	for (unsigned i = 0; i < 300; i++) {
		tap_todo(i % 7 != 0, "claims safe only", "contract test %u", i);
		for (unsigned j = 0; i % 7 == 0 && j < i % 45; j++)
			tap_yaml("key%u: %u", j, i);
	}
	tap_end();
	record_end();
	check_record("pass");
	CHECK(machine_wrote("not ok 8 - contract test 7 # TODO claims safe only"));
	CHECK(machine_wrote("1..300"));
	machine_forget();
}

TEST(a_failed_test_fails_the_run)
{
	start();
	tap_start();
	tap_result(true, "one");
	tap_todo(false, "why", "two");
	tap_skip("needs sse2", "three");
	CHECK(!record_failed());
	CHECK(machine_wrote("TAP version 13"));
	CHECK(machine_wrote("ok 1 - one"));
	CHECK(machine_wrote("not ok 2 - two # TODO why"));
	CHECK(machine_wrote("ok 3 - three # SKIP needs sse2"));
	tap_result(false, "four");
	CHECK(machine_wrote("not ok 4 - four"));
	CHECK(record_failed());
	record_end();
	check_record("fail");
	start();
	CHECK(!record_failed());
	machine_forget();
}

TEST(benchmark_lines)
{
	struct benchmark b = { .exp = "align",
			       .copy = "rep_movsl",
			       .n = 8192,
			       .samples = 62,
			       .ns = 1234500,
			       .ticks = 2592500,
			       .cycles = 4100200,
			       .ci = 412 };

	start();
	record_benchmark(&b, "dst=%d/src=%d", 1, 0);
	CHECK_TEXT(last(),
		   "BenchmarkCopy/exp=align/copy=rep_movsl/n=8192/dst=1/src=0 62 "
		   "1234.5 ns/op 6635.9 MB/s 2592.5 ticks/op 4100.2 cycles/op 0.412 %ci/op");
	b.ns = b.cycles = b.ci = 0;
	record_benchmark(&b, "%s", "");
	CHECK_TEXT(last(), "BenchmarkCopy/exp=align/copy=rep_movsl/n=8192 62 2592.5 ticks/op");
	CHECK_NUMBER(record_megabytes(1ull << 30, 1000), 1073741824000000); /* 1 GiB in 1 ns */
	CHECK_NUMBER(record_megabytes(1, 0), 0);
	machine_forget();
}

TEST(lava_lines_have_ids_that_differ)
{
	unsigned count = 0;

	start();
	record_lava(LAVA_PASS, "MB/s", 6636000, "align.rep_movsl.%d", 8192);
	CHECK_TEXT(last(), "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=align.rep_movsl.8192 RESULT=pass "
			   "UNITS=MB/s MEASUREMENT=6636.0>");
	record_lava(LAVA_FAIL, "cases", 12, "Align  REP-movsl 8192");
	CHECK_TEXT(last(), "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=Align..REP-movsl.8192.2 RESULT=fail "
			   "UNITS=cases MEASUREMENT=0.012>");
	record_lava(LAVA_SKIP, "none", 0, "align_rep_movsl_8192");
	CHECK(strstr(last(), "TEST_CASE_ID=align_rep_movsl_8192.3 RESULT=skip"));
	for (unsigned i = 0; i < 300; i++)
		record_lava(LAVA_UNKNOWN, "none", 0, "many");
	record_end();
	for (size_t i = 0; i < machine_line_count; i++)
		count += strncmp(machine_lines[i], "<LAVA", 5) == 0;
	CHECK_NUMBER(count, LAVA_LINES_MAX);
	CHECK(machine_wrote("# 103 more LAVA lines left out: a run has at most 200"));
	check_record("pass");
	machine_forget();
}
