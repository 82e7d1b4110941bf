/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/kept.h"

#include "kernel/kernel.h"
#include "lib/crc32.h"
#include "lib/option.h"
#include "lib/string.h"

/* Above what boot loaders and firmware like to use, in the direct map of both widths. */
#define KEPT_AT    ((uint64_t)32 << 20)
#define KEPT_BYTES (4u << 20)

#define MAGIC "metalcopy kept 1"

struct kept {
	char magic[16];
	uint32_t bytes, crc; /* of the text */
	char text[];
};
#define TEXT_MAX (KEPT_BYTES - sizeof(struct kept))

static struct kept *kept; /* NULL: that memory is not free on this machine */
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
	if (physical_claim(KEPT_AT, KEPT_BYTES))
		kept = direct(KEPT_AT);
}

static bool is_sound(void)
{
	return !memcmp(kept->magic, MAGIC, sizeof kept->magic) && kept->bytes <= TEXT_MAX &&
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
	full = full || used + length + 1 > TEXT_MAX;
	if (!keeping || full)
		return;
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
