/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/compact.h"

#include "lib/crc32.h"
#include "lib/format.h"
#include "lib/string.h"
#include "suite/suite.h"

#define ROOM_FOR_END 256u

static struct {
	char text[COMPACT_MAX];
	size_t used, head; /* head: the bytes of its first line */
	unsigned lines, left_out;
	unsigned ok, failed, todo, skipped;
	bool fault; /* the lines before are the report of one */
	bool ending, ended;
} compact;

static void add(const char *line, size_t n)
{
	if (compact.used + n + ROOM_FOR_END > sizeof compact.text && !compact.ending) {
		compact.left_out++;
		return;
	}
	memcpy(compact.text + compact.used, line, n);
	compact.used += n;
	compact.text[compact.used++] = '\n';
	compact.lines++;
}

void compact_start(void)
{
	static const char start[] = "METALCOPY COMPACT v1";

	memset(&compact, 0, sizeof compact);
	add(start, sizeof start - 1);
	compact.head = compact.used;
	compact.lines = 0;
}

static bool starts(const char *line, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(line, with, strlen(with));
}

static bool has(const char *line, size_t n, const char *what)
{
	for (; n; line++, n--)
		if (starts(line, n, what))
			return true;
	return false;
}

/* "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=a RESULT=b UNITS=c MEASUREMENT=d>" as "LAVA a b c d" */
static void add_summary(const char *line, size_t n)
{
	char text[256];
	size_t used = (size_t)format(text, sizeof text, "LAVA");
	bool value = false;

	for (size_t i = 0; i < n && line[i] != '>' && used < sizeof text - 1; i++) {
		if (line[i] == ' ')
			value = false;
		else if (value)
			text[used++] = line[i];
		else if (line[i] == '=') {
			value = true;
			text[used++] = ' ';
		}
	}
	add(text, used);
}

void compact_line(const char *line, size_t n)
{
	bool ok = starts(line, n, "ok ");

	compact.fault = starts(line, n, "# FAULT: ") || (compact.fault && starts(line, n, "#   "));
	if (ok || starts(line, n, "not ok ")) {
		bool skipped = has(line, n, "# SKIP"), todo = has(line, n, "# TODO");

		compact.skipped += skipped;
		compact.todo += !ok && todo;
		compact.ok += ok && !skipped;
		compact.failed += !ok && !todo;
		if (!ok && !todo)
			add(line, n);
	} else if (starts(line, n, "<LAVA_SIGNAL_TESTCASE ")) {
		add_summary(line, n);
	} else if (starts(line, n, "goarch: ") || compact.fault || starts(line, n, "# serial: ") ||
		   (starts(line, n, "META ") && !starts(line, n, "META mark: "))) {
		add(line, n);
	}
}

void compact_end(unsigned lines, uint32_t crc, bool failed)
{
	char line[ROOM_FOR_END / 2];
	int n = format(line, sizeof line,
		       "FULL lines=%u crc32=%08x ok=%u failed=%u todo=%u skipped=%u left_out=%u",
		       lines, crc, compact.ok, compact.failed, compact.todo, compact.skipped,
		       compact.left_out);

	compact.ending = true;
	add(line, (size_t)n);
	n = format(line, sizeof line, "METALCOPY END v1 lines=%u crc32=%08x status=%s",
		   compact.lines,
		   crc32(0, compact.text + compact.head, compact.used - compact.head),
		   failed ? "fail" : "pass");
	memcpy(compact.text + compact.used, line, (size_t)n);
	compact.used += (size_t)n;
	compact.text[compact.used++] = '\n';
	compact.ended = true;
}

const char *suite_compact(size_t *length)
{
	*length = compact.ended ? compact.used : 0;
	return compact.text;
}
