/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the tests named on the command line, or all; --list names them. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

extern const struct unit_test __start_unit_tests[], __stop_unit_tests[];

static unsigned failures;

void check_true(bool ok, const char *what, const char *file, int line)
{
	if (ok)
		return;
	failures++;
	printf("# %s:%d: not so: %s\n", file, line, what);
}

void check_text(const char *got, const char *want, const char *what, const char *file, int line)
{
	if (got && strcmp(got, want) == 0)
		return;
	failures++;
	printf("# %s:%d: %s\n#   is        \"%s\"\n#   should be \"%s\"\n", file, line, what,
	       got ? got : "(null)", want);
}

void check_number(unsigned long long got, unsigned long long want, const char *what,
		  const char *file, int line)
{
	if (got == want)
		return;
	failures++;
	printf("# %s:%d: %s is %llu (0x%llx), should be %llu (0x%llx)\n", file, line, what, got,
	       got, want, want);
}

static bool asked_for(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	unsigned run = 0, failed = 0;

	for (const struct unit_test *t = __start_unit_tests; t < __stop_unit_tests; t++) {
		if (argc == 2 && strcmp(argv[1], "--list") == 0) {
			puts(t->name);
			continue;
		}
		if (!asked_for(t->name, argc, argv))
			continue;
		failures = 0;
		t->run();
		printf("%sok %u - %s\n", failures ? "not " : "", ++run, t->name);
		failed += failures != 0;
	}
	if (run)
		printf("1..%u\n", run);
	else if (argc != 2 || strcmp(argv[1], "--list") != 0)
		fprintf(stderr, "no such test; --list names them\n");
	return failed || (!run && strcmp(argv[argc - 1], "--list") != 0);
}
