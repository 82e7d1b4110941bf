/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unit tests of what is pure C: TEST(name) { CHECK(...); } in any file here. The
 * program runs them all, or those named (tests/unit/main.c).
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <stdbool.h>
#include <stddef.h>

struct unit_test {
	const char *name;
	void (*run)(void);
};

#define TEST(ident)                                                                                \
	static void test_##ident(void);                                                            \
	static const struct unit_test unit_##ident __attribute__((                                 \
		used, section("unit_tests"), aligned(sizeof(void *)))) = { #ident, test_##ident }; \
	static void test_##ident(void)

#define CHECK(condition)      check_true(condition, #condition, __FILE__, __LINE__)
#define CHECK_TEXT(got, want) check_text(got, want, #got, __FILE__, __LINE__)
#define CHECK_NUMBER(got, want)                                                                    \
	check_number((unsigned long long)(got), (unsigned long long)(want), #got, __FILE__,        \
		     __LINE__)

void check_true(bool ok, const char *what, const char *file, int line);
void check_text(const char *got, const char *want, const char *what, const char *file, int line);
void check_number(unsigned long long got, unsigned long long want, const char *what,
		  const char *file, int line);

#endif
