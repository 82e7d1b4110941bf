/* SPDX-License-Identifier: BSD-2-Clause */
/* lib/string.c under names of its own, against the C library's. */
#include "tests/unit/test.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define memcpy  our_memcpy
#define memmove our_memmove
#define memset  our_memset
#define memcmp  our_memcmp
#define strlen  our_strlen
#define strcmp  our_strcmp
#define strncmp our_strncmp
#undef strchr
#define strchr our_strchr
#undef LIB_STRING_H
#include "lib/string.c"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strcmp
#undef strncmp
#undef strchr

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

TEST(memmove_keeps_what_it_copies)
{
	uint8_t want[64], got[64];

	for (unsigned from = 0; from <= 20; from++) {
		for (unsigned to = 0; to <= 20; to++) {
			for (unsigned n = 0; n <= 40; n++) {
				for (unsigned i = 0; i < 64; i++)
					want[i] = got[i] = (uint8_t)i;
				memmove(want + to, want + from, n);
				CHECK(our_memmove(got + to, got + from, n) == got + to);
				CHECK(memcmp(want, got, 64) == 0);
			}
		}
	}
}

TEST(memcpy_and_memset_fill_no_more_than_asked)
{
	uint8_t from[16], to[16];

	for (unsigned i = 0; i < 16; i++)
		from[i] = (uint8_t)(i + 1);
	for (unsigned n = 0; n <= 12; n++) {
		memset(to, 0xee, 16);
		CHECK(our_memcpy(to + 2, from, n) == to + 2);
		CHECK(memcmp(to + 2, from, n) == 0 && to[1] == 0xee && to[2 + n] == 0xee);
		CHECK(our_memset(to + 2, 0x155, n) == to + 2);
		for (unsigned i = 0; i < n; i++)
			CHECK_NUMBER(to[2 + i], 0x55);
		CHECK(to[1] == 0xee && to[2 + n] == 0xee);
	}
}

TEST(comparisons_are_those_of_the_C_library)
{
	static const char *const texts[] = {
		"", "a", "b", "ab", "aa", "abc", "\xff", "a\xff", "A"
	};
	const size_t count = sizeof(texts) / sizeof(texts[0]);

	for (size_t i = 0; i < count; i++) {
		CHECK_NUMBER(our_strlen(texts[i]), strlen(texts[i]));
		CHECK(our_strchr(texts[i], 'b') == strchr(texts[i], 'b'));
		CHECK(our_strchr(texts[i], 0) == strchr(texts[i], 0));
		CHECK(our_strchr(texts[i], 0xff) == strchr(texts[i], 0xff));
		for (size_t j = 0; j < count; j++) {
			size_t n = strlen(texts[i]) < strlen(texts[j]) ? strlen(texts[i])
								       : strlen(texts[j]);

			CHECK(sign(our_strcmp(texts[i], texts[j])) ==
			      sign(strcmp(texts[i], texts[j])));
			CHECK(sign(our_memcmp(texts[i], texts[j], n)) ==
			      sign(memcmp(texts[i], texts[j], n)));
			for (size_t k = 0; k < 4; k++)
				CHECK(sign(our_strncmp(texts[i], texts[j], k)) ==
				      sign(strncmp(texts[i], texts[j], k)));
		}
	}
}
