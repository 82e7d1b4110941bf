/* SPDX-License-Identifier: BSD-2-Clause */
/* Text, checksum and arithmetic of lib/. */
#include "lib/crc32.h"
#include "lib/format.h"
#include "lib/frequency.h"
#include "lib/random.h"
#include "tests/unit/test.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What format() makes must be what snprintf() makes, length included. */
#define CHECK_FORMAT(...)                                                                          \
	do {                                                                                       \
		char ours[300], theirs[300];                                                       \
		CHECK_NUMBER(format(ours, sizeof(ours), __VA_ARGS__),                              \
			     snprintf(theirs, sizeof(theirs), __VA_ARGS__));                       \
		CHECK_TEXT(ours, theirs);                                                          \
	} while (0)

TEST(format_is_as_snprintf)
{
	CHECK_FORMAT("%d|%5d|%-5d|%05d|%-5d|%.3d", -5, -42, -42, -42, 7, 3);
	CHECK_FORMAT("%d %d %d", INT_MIN, INT_MAX, 0);
	CHECK_FORMAT("%ld %lld %zd", LONG_MIN, LLONG_MIN, (ssize_t)-1);
	CHECK_FORMAT("%u %lu %llu %zu", UINT_MAX, ULONG_MAX, ULLONG_MAX, SIZE_MAX);
	CHECK_FORMAT("%x %08x %X %lx %llX", 0xbeef, 0xbeef, 0xBEEF, ULONG_MAX,
		     0xfedcba9876543210ull);
	CHECK_FORMAT("%s|%10s|%-10s|%.3s|%.0s|", "ab", "cd", "ef", "ghijk", "x");
	CHECK_FORMAT("%*s|%-*.*s|%*d|%0*u", 7, "x", 6, 2, "lmno", -5, 42, 4, 7u);
	CHECK_FORMAT("%c%c%% %p", 'a', 'b', (void *)0x1234);
	CHECK_FORMAT("%s", "");
	CHECK_FORMAT("%-12s%12s", "longer than twelve", "longer than twelve");
}

TEST(format_never_writes_past_the_end)
{
	char to[9] = "________";

	CHECK_NUMBER(format(to, 5, "%s", "0123456789"), 10);
	CHECK(memcmp(to, "0123\0___", 9) == 0);
	CHECK_NUMBER(format(to, 1, "abc"), 3);
	CHECK_TEXT(to, "");
	CHECK_NUMBER(format(NULL, 0, "%d", 12345), 5);
	CHECK_NUMBER(format(to, sizeof(to), "12345678"), 8);
	CHECK_TEXT(to, "12345678");
}

TEST(fixed_rounds_to_decimals)
{
	CHECK_TEXT(fixed(1234567, 0).text, "1235");
	CHECK_TEXT(fixed(1234567, 1).text, "1234.6");
	CHECK_TEXT(fixed(1234567, 2).text, "1234.57");
	CHECK_TEXT(fixed(1234567, 3).text, "1234.567");
	CHECK_TEXT(fixed(1234567, 9).text, "1234.567");
	CHECK_TEXT(fixed(999950, 1).text, "1000.0");
	CHECK_TEXT(fixed(999949, 1).text, "999.9");
	CHECK_TEXT(fixed(0, 1).text, "0.0");
	CHECK_TEXT(fixed(5, 2).text, "0.01");
	CHECK_TEXT(fixed(4, 2).text, "0.00");
	CHECK_TEXT(fixed(UINT64_MAX, 0).text, "18446744073709552");
	CHECK_TEXT(fixed(UINT64_MAX, 3).text, "18446744073709551.615");
}

TEST(crc32_is_that_of_zlib)
{
	static const char text[] = "The quick brown fox jumps over the lazy dog";
	uint8_t all[256];

	for (unsigned i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	CHECK_NUMBER(crc32(0, "", 0), 0);
	CHECK_NUMBER(crc32(0, "123456789", 9), 0xcbf43926);
	CHECK_NUMBER(crc32(0, text, 43), 0x414fa339);
	CHECK_NUMBER(crc32(0, all, 256), 0x29058c73);
	for (size_t cut = 0; cut <= 43; cut++)
		CHECK_NUMBER(crc32(crc32(0, text, cut), text + cut, 43 - cut), 0x414fa339);
}

TEST(random_is_the_same_everywhere)
{
	struct random a = random_seeded(1), b = random_seeded(1), c = random_seeded(2),
		      zero = random_seeded(0);
	unsigned same = 0, zeros = 0;
	bool seen[10] = { false };

	for (unsigned i = 0; i < 1000; i++) {
		uint32_t x = random_next(&a);

		CHECK_NUMBER(random_next(&b), x);
		same += random_next(&c) == x;
		zeros += random_next(&zero) == 0;
		x = random_below(&a, 10);
		CHECK(x < 10);
		seen[x < 10 ? x : 0] = true;
		random_next(&b);
	}
	CHECK(same < 3);
	CHECK(zeros < 3);
	for (unsigned i = 0; i < 10; i++)
		CHECK(seen[i]);
	CHECK_NUMBER(random_below(&a, 1), 0);
}

TEST(multiply_divide_has_128_bits_between)
{
	CHECK_NUMBER(multiply_divide(UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
	CHECK_NUMBER(multiply_divide(UINT64_MAX, 2, UINT64_MAX), 2);
	CHECK_NUMBER(multiply_divide(UINT64_MAX, 2, 1), UINT64_MAX); /* does not fit */
	CHECK_NUMBER(multiply_divide(5, 5, 0), UINT64_MAX);
	CHECK_NUMBER(multiply_divide(0, 5, 7), 0);
	CHECK_NUMBER(multiply_divide(10, 10, 3), 33);
	for (uint64_t i = 1; i < 2000; i++) {
		uint64_t a = i * 0x9e3779b97f4a7c15u, b = i * 0x1000003u, c = (a >> 7) | 1;

		CHECK_NUMBER(multiply_divide(a, b, c), (uint64_t)((unsigned __int128)a * b / c));
	}
}

TEST(frequency_apart_is_in_millionths)
{
	CHECK_NUMBER(frequency_apart(1000000, 1000000), 0);
	CHECK_NUMBER(frequency_apart(1000001, 1000000), 1);
	CHECK_NUMBER(frequency_apart(1000000, 1000001), 1);
	CHECK_NUMBER(frequency_apart(3000000000, 1500000000), 1000000);
	CHECK_NUMBER(frequency_apart(0, 5), UINT64_MAX);
}
