/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/kept.h"

#include "kernel/kernel.h"
#include "lib/crc32.h"
#include "lib/option.h"
#include "lib/string.h"

/* Above what boot loaders and firmware like to use, in the direct map of both widths. A
 * record of suite=standard takes 1 MiB, one with more rounds or of suite=full several. */
#define KEPT_AT    ((uint64_t)32 << 20)
#define KEPT_MOST  (32u << 20)
#define KEPT_LEAST (2u << 20)
#define KEPT_SHARE 8u /* of all memory, one part in so many */

#define MAGIC "metalcopy kept 1"

struct kept {
	char magic[16];
	uint32_t bytes, crc; /* of the text */
	char text[];
};

static const char cut[] = "# kept: no memory for the rest of this record\n";

static struct kept *kept; /* NULL: that memory is not free on this machine */
static size_t room;       /* for text */
static size_t used;
static bool full, keeping;

static bool wanted;

static bool set_last(const char *value)
{
	wanted = !strcmp(value, "show");
	return wanted;
}
OPTION(last, "show", "in place of a run: the last one's record, if memory still has it", set_last);

void kept_claim(void)
{
	size_t bytes = KEPT_MOST;

	while (bytes > physical_total() / KEPT_SHARE || !physical_claim(KEPT_AT, bytes))
		if ((bytes /= 2) < KEPT_LEAST)
			return;
	kept = direct(KEPT_AT);
	room = bytes - sizeof *kept;
}

static bool is_sound(void)
{
	return !memcmp(kept->magic, MAGIC, sizeof kept->magic) && kept->bytes <= room &&
	       crc32(0, kept->text, kept->bytes) == kept->crc;
}

static _Noreturn void show(void)
{
	static const char passed[] = "status=pass";
	const char *line = kept->text, *end = line + kept->bytes;
	size_t n = 0, m = sizeof passed - 1;
	bool pass = false;

	for (; line < end; line += n + 1) {
		for (n = 0; line + n < end && line[n] != '\n'; n++)
			;
		machine_write_line(line, n);
		pass = n >= m && !memcmp(line + n - m, passed, m);
	}
	end_run(pass);
}

void kept_start(void)
{
	static const char none[] = "# last=show: memory holds no record of an earlier run";

	if (wanted && kept && is_sound())
		show();
	if (wanted)
		machine_write_line(none, sizeof none - 1);
	keeping = kept;
	if (keeping)
		memset(kept->magic, 0, sizeof kept->magic);
}

void kept_line(const char *text, size_t length)
{
	if (!keeping || full)
		return;
	full = used + length + sizeof cut > room;
	if (full) {
		memcpy(kept->text + used, cut, sizeof cut - 1);
		used += sizeof cut - 1;
		return;
	}
	memcpy(kept->text + used, text, length);
	used += length;
	kept->text[used++] = '\n';
}

void kept_end(void)
{
	const char *why;

	if (!keeping || !used)
		return;
	kept->bytes = (uint32_t)used;
	kept->crc = crc32(0, kept->text, used);
	memcpy(kept->magic, MAGIC, sizeof kept->magic);
	machine_flush_caches(&why);
}

const char *kept_text(size_t *length)
{
	*length = used;
	return keeping ? kept->text : NULL;
}
