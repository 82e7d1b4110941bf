/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record (docs/RECORD.md): every line of a run goes through here, so that the
 * count and the checksum in the END line are right. Lines are at most
 * RECORD_LINE_MAX bytes of printable ASCII: what is longer is cut and ends in
 * "...", any other byte becomes '?'. Figures are in thousandths of their unit.
 */
#ifndef SUITE_RECORD_H
#define SUITE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_LINE_MAX 240

/* START and the three configuration lines of the Go benchmark format. */
void record_start(void);

/* One whole line, as it is. */
void record_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "# ..." for people. */
void record_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * "META key: ...". The keys that every record has come in one fixed order, which the
 * caller keeps to; record_meta_rest() gives those that are still to come as "n/a", so
 * that a run that dies early has them all. record_end() calls it.
 */
void record_meta(const char *key, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void record_meta_rest(void);

/*
 * The next `lines` lines (at most RECORD_BLOCK_MAX) belong together: no mark comes
 * between them. One that would is put off until after them, and a further one stands
 * before, so that two marks are never more than 100 lines apart. (A YAML block with a
 * mark in its midst is none.)
 */
#define RECORD_BLOCK_MAX 40
void record_block(unsigned lines);

/* One cell of an experiment in one round, as a line of the Go benchmark format.
 * 0 stands for "not known": that unit is left out, and MB/s without ns. */
struct benchmark {
	const char *exp;            /* the experiment's name */
	const char *copy;           /* the routine's */
	uint64_t n;                 /* bytes copied an operation, counted once */
	uint64_t samples;           /* how many the medians come from */
	uint64_t ns, ticks, cycles; /* an operation */
	uint64_t ci;                /* width of the 95 % interval, in percent of the median */
	bool disturbed;             /* its samples were: a comment after the line says so */
};

/* `keys` are the further "key=value" pairs that the experiment varies, with a slash
 * between them: "dst=1/src=0/cache=hot"; "" for none. No value may end in a dash
 * and digits: Go's tools read that as a count of CPUs. */
void record_benchmark(const struct benchmark *b, const char *keys, ...)
	__attribute__((format(printf, 2, 3)));

/* MB/s (10^6 bytes), in thousandths, of n bytes in `ns` thousandths of a nanosecond;
 * 0 for 0 ns. */
uint64_t record_megabytes(uint64_t n, uint64_t ns);

/*
 * A summary as LAVA's test-case line, at most LAVA_LINES_MAX a run: what is over
 * that is counted and told at the end. The id's spaces become dots; an id that LAVA
 * would fold into one already used gets a number behind it.
 */
enum lava_result { LAVA_PASS, LAVA_FAIL, LAVA_SKIP, LAVA_UNKNOWN };
#define LAVA_LINES_MAX 200
void record_lava(enum lava_result result, const char *units, uint64_t measurement, const char *id,
		 ...) __attribute__((format(printf, 4, 5)));

/* From here on the run cannot end with status=pass. */
void record_fail(void);
bool record_failed(void);

/* Between record_start() and record_end(). */
bool record_open(void);

/* END with the count, the checksum and the status; nothing after the first time. */
void record_end(void);

#endif
