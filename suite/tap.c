/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/tap.h"

#include "lib/format.h"
#include "suite/record.h"

#include <stdarg.h>

static unsigned results;
static bool in_yaml;

/* The "name" part of a line; the record cuts what is too long as a whole. */
static const char *named(const char *fmt, va_list args)
{
	static char name[RECORD_LINE_MAX];
	vformat(name, sizeof(name), fmt, args);
	return name;
}

void tap_start(void)
{
	results = 0;
	record_line("TAP version 13");
}

void tap_result(bool ok, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	record_line("%sok %u - %s", ok ? "" : "not ", ++results, named(fmt, args));
	va_end(args);
	if (!ok)
		record_fail();
}

void tap_todo(bool ok, const char *why, const char *fmt, ...)
{
	va_list args;
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
	va_start(args, fmt);
	record_line("ok %u - %s # SKIP %s", ++results, named(fmt, args), why);
	va_end(args);
}

void tap_yaml(const char *fmt, ...)
{
	va_list args;
	if (!in_yaml)
		record_line("  ---");
	in_yaml = true;
	va_start(args, fmt);
	record_line("  %s", named(fmt, args));
	va_end(args);
}

void tap_yaml_end(void)
{
	if (in_yaml)
		record_line("  ...");
	in_yaml = false;
}

void tap_end(void)
{
	record_line("1..%u", results);
}
