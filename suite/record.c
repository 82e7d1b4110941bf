/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/record.h"

#include "lib/crc32.h"
#include "lib/format.h"
#include "lib/frequency.h"
#include "lib/string.h"
#include "suite/compact.h"
#include "suite/machine.h"

#include <stdarg.h>
#include <stddef.h>

#define MARK_EVERY 100

#if defined(__x86_64__)
#define GOARCH "amd64"
#else
#define GOARCH "386"
#endif

/* The keys that every record has, in their order. */
static const char *const keys[] = {
	"cpu",    "version",     "timing",     "hypervisor", "cpu-id", "microcode", "cpus",
	"tsc-hz", "tsc-step",    "core-hz",    "l1d",        "l2",     "l3",        "dtlb",
	"stlb",   "prefetchers", "memory-mib", "firmware",   "args",   "seed",      "disturbed",
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static struct {
	bool started, ended, failed;
	unsigned lines;                    /* between START and END, so far */
	unsigned marked;                   /* how many of them the last mark covers */
	unsigned block_end;                /* no mark before there are so many */
	uint32_t crc;                      /* of those lines, each with its LF */
	size_t next_key;                   /* of keys[] */
	unsigned lava, lava_left_out;      /* lines */
	uint32_t lava_ids[LAVA_LINES_MAX]; /* CRCs of the folded ids */
} record;

/* ------------------------------------------------------------ lines */

static size_t printable(char *line, int length)
{
	size_t n = length > RECORD_LINE_MAX ? RECORD_LINE_MAX : (size_t)length;

	if (length > RECORD_LINE_MAX)
		memcpy(line + n - 3, "...", 3);
	for (size_t i = 0; i < n; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = '?';
	return n;
}

static void count(const char *line, size_t n)
{
	record.crc = crc32(record.crc, line, n);
	record.crc = crc32(record.crc, "\n", 1);
	record.lines++;
	compact_line(line, n);
}

/*
 * A mark covers all lines after START up to the one before it, earlier marks
 * included; it is itself a line like others to what follows. So a record that broke
 * off is known to be whole up to its last mark, and damage lies between two.
 */
static void mark(void)
{
	char line[RECORD_LINE_MAX + 1];
	int n = format(line, sizeof(line), "META mark: lines=%u crc32=%08x", record.lines,
		       record.crc);

	record.marked = record.lines;
	machine_write_line(line, (size_t)n);
	count(line, (size_t)n);
}

static void emit(char *line, int length)
{
	size_t n = printable(line, length);

	machine_write_line(line, n);
	if (!record_open())
		return;
	count(line, n);
	if (record.lines / MARK_EVERY > record.marked / MARK_EVERY &&
	    record.lines >= record.block_end)
		mark();
}

static void vemit(const char *prefix, const char *fmt, va_list args)
{
	char line[RECORD_LINE_MAX + 1];
	int n = format(line, sizeof(line), "%s", prefix);

	n += vformat(line + n, sizeof(line) - (size_t)n, fmt, args);
	emit(line, n);
}

void record_line(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vemit("", fmt, args);
	va_end(args);
}

void record_text(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vemit("# ", fmt, args);
	va_end(args);
}

void record_block(unsigned lines)
{
	if (!record_open())
		return;
	if (record.lines + lines - record.marked > MARK_EVERY)
		mark();
	record.block_end = record.lines + lines;
}

/* ------------------------------------------------------------ start, keys, end */

void record_start(void)
{
	static const char start[] = "METALCOPY START v1";

	memset(&record, 0, sizeof(record));
	compact_start();
	machine_write_line(start, sizeof(start) - 1);
	record.started = true;
	record_line("goos: metal");
	record_line("goarch: " GOARCH);
	record_line("pkg: metalcopy");
}

void record_meta(const char *key, const char *fmt, ...)
{
	char prefix[48];
	va_list args;

	if (record.next_key < KEYS && strcmp(key, keys[record.next_key]) == 0)
		record.next_key++;
	format(prefix, sizeof(prefix), "META %s: ", key);
	va_start(args, fmt);
	vemit(prefix, fmt, args);
	va_end(args);
}

void record_meta_rest(void)
{
	while (record.next_key < KEYS)
		record_meta(keys[record.next_key], "n/a");
}

void record_fail(void)
{
	record.failed = true;
}

bool record_failed(void)
{
	return record.failed;
}

bool record_open(void)
{
	return record.started && !record.ended;
}

void record_end(void)
{
	char line[RECORD_LINE_MAX + 1];
	int n;

	if (!record_open())
		return;
	record_meta_rest();
	if (record.lava_left_out)
		record_text("%u more LAVA lines left out: a run has at most %u",
			    record.lava_left_out, LAVA_LINES_MAX);
	n = format(line, sizeof(line), "METALCOPY END v1 lines=%u crc32=%08x status=%s",
		   record.lines, record.crc, record.failed ? "fail" : "pass");
	record.ended = true;
	machine_write_line(line, (size_t)n);
	compact_end(record.lines, record.crc, record.failed);
}

/* ------------------------------------------------------------ figures */

/* One decimal is enough for large figures; three for those that have few digits. */
static struct fixed_text figure(uint64_t thousandths)
{
	return fixed(thousandths, thousandths >= 1000000 ? 1 : 3);
}

uint64_t record_megabytes(uint64_t n, uint64_t ns)
{
	return ns ? multiply_divide(n, 1000000000, ns) : 0;
}

/* Appends "value unit" to the line of `length` bytes so far; returns its new length. */
static int add_unit(char *line, int length, uint64_t thousandths, const char *unit)
{
	if (!thousandths || length > RECORD_LINE_MAX)
		return length;
	return length + format(line + length, (size_t)(RECORD_LINE_MAX + 1 - length), " %s %s",
			       figure(thousandths).text, unit);
}

void record_benchmark(const struct benchmark *b, const char *more, ...)
{
	char line[RECORD_LINE_MAX + 1], pairs[128] = "/";
	va_list args;
	int n;

	va_start(args, more);
	n = vformat(pairs + 1, sizeof(pairs) - 1, more, args);
	va_end(args);
	n = format(line, sizeof(line), "BenchmarkCopy/exp=%s/copy=%s/n=%llu%s %llu", b->exp,
		   b->copy, (unsigned long long)b->n, n ? pairs : "",
		   (unsigned long long)b->samples);
	n = add_unit(line, n, b->ns, "ns/op");
	n = add_unit(line, n, record_megabytes(b->n, b->ns), "MB/s");
	n = add_unit(line, n, b->ticks, "ticks/op");
	n = add_unit(line, n, b->cycles, "cycles/op");
	n = add_unit(line, n, b->ci, "%ci/op");
	record_block(b->disturbed ? 2 : 1);
	emit(line, n);
	if (b->disturbed)
		record_text("%s: %s at n=%llu%s: some of these samples were disturbed: there were "
			    "no others",
			    b->exp, b->copy, (unsigned long long)b->n, pairs[1] ? pairs : "");
}

/* ------------------------------------------------------------ LAVA */

/* What LAVA makes of an id: lower case, each run of other characters one underscore. */
static uint32_t folded_crc(const char *id)
{
	char previous = 0;
	uint32_t crc = 0;

	for (; *id; id++) {
		char c = *id >= 'A' && *id <= 'Z' ? (char)(*id + ('a' - 'A')) : *id;

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
			c = '_';
		if (c != '_' || previous != '_')
			crc = crc32(crc, &c, 1);
		previous = c;
	}
	return crc;
}

static bool lava_used(uint32_t crc)
{
	for (unsigned i = 0; i < record.lava; i++)
		if (record.lava_ids[i] == crc)
			return true;
	return false;
}

/* The id in `text` of `size` bytes made fit: no spaces, and none that was used before. */
static void make_unique(char *text, size_t size)
{
	size_t n = strlen(text);

	for (char *c = text; *c; c++)
		if (*c == ' ')
			*c = '.';
	for (unsigned again = 2; lava_used(folded_crc(text)); again++)
		format(text + n, size - n, ".%u", again);
	record.lava_ids[record.lava++] = folded_crc(text);
}

void record_lava(enum lava_result result, const char *units, uint64_t measurement, const char *fmt,
		 ...)
{
	static const char *const names[] = { "pass", "fail", "skip", "unknown" };
	char id[96];
	va_list args;

	if (record.lava == LAVA_LINES_MAX) {
		record.lava_left_out++;
		return;
	}
	va_start(args, fmt);
	vformat(id, sizeof(id) - sizeof(".200"), fmt, args);
	va_end(args);
	make_unique(id, sizeof(id));
	record_line("<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=%s RESULT=%s UNITS=%s MEASUREMENT=%s>", id,
		    names[result], units, figure(measurement).text);
}
