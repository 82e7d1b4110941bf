/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/status.h"

#include "kernel/kernel.h"
#include "lib/format.h"
#include "lib/string.h"

#define NAME_MAX  32
#define BAR_WIDTH 10

static struct {
	const char *phase;
	unsigned done, total;
	char doing[2 * NAME_MAX];
	unsigned ok, bad, skipped, faults;
	unsigned long long best; /* tenths of MB/s */
	char best_copy[NAME_MAX];
	const char *end; /* NULL: it runs */
} status = { .phase = "" };

void machine_progress(const char *phase, unsigned done, unsigned total)
{
	status.phase = phase;
	status.done = done;
	status.total = total;
}

/* ------------------------------------------------------------ reading a line */

struct line {
	const char *at, *end;
};

static bool take(struct line *line, const char *prefix)
{
	size_t n = strlen(prefix);

	if ((size_t)(line->end - line->at) < n || memcmp(line->at, prefix, n))
		return false;
	line->at += n;
	return true;
}

static bool take_after(struct line *line, const char *mark)
{
	for (; line->at < line->end; line->at++)
		if (take(line, mark))
			return true;
	return false;
}

/* Up to one of the characters in `ends`. */
static void take_word(struct line *line, const char *ends, char word[NAME_MAX])
{
	size_t n = 0;

	for (; line->at < line->end && !strchr(ends, *line->at); line->at++)
		if (n < NAME_MAX - 1)
			word[n++] = *line->at;
	word[n] = 0;
}

/* A decimal number that ends where the line is now; in tenths. */
static unsigned long long tenths_before(const char *start, const char *end)
{
	unsigned long long value = 0;
	const char *at = end;

	while (at > start && at[-1] != ' ')
		at--;
	for (; at < end && *at != '.'; at++)
		value = value * 10 + (unsigned)(*at - '0');
	return value * 10 + (end - at > 1 ? (unsigned)(at[1] - '0') : 0);
}

/* ------------------------------------------------------------ what lines say */

static void benchmark(struct line line)
{
	char exp[NAME_MAX], copy[NAME_MAX];
	const char *start = line.at;

	take_word(&line, "/", exp);
	if (!take_after(&line, "copy="))
		return;
	take_word(&line, "/ ", copy);
	format(status.doing, sizeof status.doing, "%s %s", exp, copy);
	if (!take_after(&line, " MB/s"))
		return;
	unsigned long long rate = tenths_before(start, line.at - strlen(" MB/s"));
	if (rate <= status.best)
		return;
	status.best = rate;
	memcpy(status.best_copy, copy, sizeof copy);
}

static void test(struct line line, bool ok)
{
	struct line rest = line;
	bool todo = take_after(&rest, "# TODO");

	rest = line;
	if (take_after(&rest, "# SKIP"))
		status.skipped++;
	else if (ok)
		status.ok++;
	else if (!todo)
		status.bad++;
	if (take_after(&line, "contract "))
		take_word(&line, " ", status.doing);
}

void status_line(const char *text, size_t length)
{
	struct line line = { text, text + length };

	if (take(&line, "BenchmarkCopy/exp="))
		benchmark(line);
	else if (take(&line, "ok "))
		test(line, true);
	else if (take(&line, "not ok "))
		test(line, false);
	else if (take(&line, "# experiment "))
		take_word(&line, ":", status.doing);
	else if (take(&line, "# FAULT: "))
		status.faults++;
	else if (take(&line, "METALCOPY END "))
		status.end = take_after(&line, "status=pass") ? "PASSED" : "FAILED";
}

const char *status_text(void)
{
	static char text[160];
	char bar[BAR_WIDTH + 1] = "..........";
	unsigned full = status.total ? BAR_WIDTH * status.done / status.total : 0;

	memset(bar, '#', status.end ? BAR_WIDTH : full);
	if (status.end)
		format(text, sizeof text, "%s ", status.end);
	else
		format(text, sizeof text, "%s %u/%u [%s] %s ", status.phase, status.done,
		       status.total, bar, status.doing);
	size_t n = strlen(text);
	n += (size_t)format(text + n, sizeof text - n, "| ok %u bad %u skip %u fault %u", status.ok,
			    status.bad, status.skipped, status.faults);
	if (status.best && n < sizeof text)
		format(text + n, sizeof text - n, " | %llu.%llu MB/s %s", status.best / 10,
		       status.best % 10, status.best_copy);
	return text;
}
