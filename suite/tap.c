/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/tap.h"

#include "lib/format.h"
#include "suite/record.h"

#include <stdarg.h>

/* Lines of a YAML block; what is over that is left out. */
#define YAML_MAX 30

static unsigned results;
static unsigned yaml_lines;

/* The "name" part of a line; the record cuts what is too long as a whole. */
static const char *named(const char *fmt, va_list args)
{
	static char name[RECORD_LINE_MAX];
	vformat(name, sizeof(name), fmt, args);
	return name;
}

/* A result that failed and its YAML block stay together. */
static void begin_result(bool ok)
{
	tap_yaml_end();
	if (!ok)
		record_block(YAML_MAX + 3);
}

void tap_start(void)
{
	results = 0;
	record_line("TAP version 13");
}

void tap_result(bool ok, const char *fmt, ...)
{
	va_list args;

	begin_result(ok);
	va_start(args, fmt);
	record_line("%sok %u - %s", ok ? "" : "not ", ++results, named(fmt, args));
	va_end(args);
	if (!ok)
		record_fail();
}

void tap_todo(bool ok, const char *why, const char *fmt, ...)
{
	va_list args;

	begin_result(ok);
	va_start(args, fmt);
	if (ok)
		record_line("ok %u - %s", ++results, named(fmt, args));
	else
		record_line("not ok %u - %s # TODO %s", ++results, named(fmt, args), why);
	va_end(args);
}

void tap_skip(const char *why, const char *fmt, ...)
{
	va_list args;

	begin_result(true);
	va_start(args, fmt);
	record_line("ok %u - %s # SKIP %s", ++results, named(fmt, args), why);
	va_end(args);
}

void tap_yaml(const char *fmt, ...)
{
	va_list args;

	if (yaml_lines == YAML_MAX)
		return;
	if (!yaml_lines++)
		record_line("  ---");
	va_start(args, fmt);
	record_line("  %s", named(fmt, args));
	va_end(args);
}

void tap_yaml_end(void)
{
	if (yaml_lines)
		record_line("  ...");
	yaml_lines = 0;
}

void tap_end(void)
{
	tap_yaml_end();
	record_line("1..%u", results);
}
