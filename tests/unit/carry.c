/* SPDX-License-Identifier: BSD-2-Clause */
/* What a record goes through on its way to a screen: lines, deflate, QR code. */
#include "lib/crc32.h"
#include "lib/deflate.h"
#include "lib/qr.h"
#include "lib/random.h"
#include "suite/record.h"
#include "suite/suite.h"
#include "suite/tap.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------ the compact record */

TEST(compact_record)
{
	const char *text;
	size_t length;
	unsigned lines, said;
	uint32_t crc;
	char want[80];

	machine_forget();
	record_start();
	record_meta("cpu", "a CPU");
	tap_start();
	tap_result(true, "one");
	tap_result(false, "two");
	tap_todo(false, "claims safe only", "three");
	tap_skip("needs avx", "four");
	record_text("not in it");
	record_text("FAULT: #UD invalid opcode");
	record_text("  at somewhere+0x4");
	record_text("the run went on");
	record_text("  not in it");
	record_lava(LAVA_PASS, "MB/s", 6635900, "size.64.rep movsb");
	suite_compact(&length);
	CHECK_NUMBER(length, 0);
	record_end();
	text = suite_compact(&length);
	CHECK(strncmp(text, "METALCOPY COMPACT v1\ngoarch: ", 29) == 0);
	CHECK(strstr(text, "\nMETA cpu: a CPU\nnot ok 2 - two\n# FAULT: #UD invalid opcode\n#   at "
			   "somewhere+0x4\nLAVA size.64.rep.movsb pass MB/s "
			   "6635.9\nMETA version: n/a\n") != NULL);
	CHECK(strstr(text, " ok=1 failed=1 todo=1 skipped=1 left_out=0\nMETALCOPY END v1 ") !=
	      NULL);
	CHECK(strstr(text, "\n# FAULT: #UD invalid opcode\n#   at somewhere+0x4\nLAVA ") != NULL);
	CHECK(!strstr(text, "not in it") && !strstr(text, "went on") && !strstr(text, "three"));
	CHECK(sscanf(machine_lines[machine_line_count - 1], "METALCOPY END v1 lines=%u crc32=%x",
		     &said, &crc) == 2);
	snprintf(want, sizeof(want), "\nFULL lines=%u crc32=%08x ", said, crc);
	CHECK(strstr(text, want) != NULL);

	const char *body = strchr(text, '\n') + 1, *end = strstr(text, "METALCOPY END");
	lines = 0;
	for (const char *c = body; c < end; c++)
		lines += *c == '\n';
	snprintf(want, sizeof(want), "METALCOPY END v1 lines=%u crc32=%08x status=", lines,
		 crc32(0, body, (size_t)(end - body)));
	CHECK(strncmp(end, want, strlen(want)) == 0);
	CHECK_NUMBER(text[length - 1], '\n');
}

TEST(compact_record_that_is_too_long)
{
	const char *text;
	size_t length;

	machine_forget();
	record_start();
	tap_start();
	for (unsigned i = 0; i < 400; i++)
		tap_result(false, "%0150u", i);
	record_end();
	text = suite_compact(&length);
	CHECK(length <= 24576 && length > 23000);
	CHECK(strstr(text, " failed=400 ") && !strstr(text, "left_out=0"));
	CHECK(strstr(text, "\nMETALCOPY END v1 ") != NULL);
}

/* ------------------------------------------------------------ deflate */

/* RFC 1951 read back: one last block with the fixed code. */
struct bits {
	const uint8_t *at;
	size_t bytes, used; /* used: bits */
};

static unsigned bits_take(struct bits *b, unsigned n)
{
	unsigned value = 0;

	for (unsigned i = 0; i < n; i++, b->used++)
		if (b->used / 8 < b->bytes)
			value |= (b->at[b->used / 8] >> b->used % 8 & 1u) << i;
	return value;
}

static unsigned code_take(struct bits *b, unsigned code, unsigned n)
{
	while (n--)
		code = code << 1 | bits_take(b, 1);
	return code;
}

static unsigned symbol_take(struct bits *b)
{
	unsigned code = code_take(b, 0, 7);

	if (code < 0x18)
		return code + 256;
	code = code_take(b, code, 1);
	if (code >= 0x30 && code < 0xc0)
		return code - 0x30;
	if (code >= 0xc0 && code < 0xc8)
		return code - 0xc0 + 280;
	return code_take(b, code, 1) - 0x190 + 144;
}

static size_t inflate(uint8_t *to, size_t size, struct bits b)
{
	static const uint16_t length[] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
					   15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
					   67, 83, 99, 115, 131, 163, 195, 227, 258 };
	static const uint8_t length_bits[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
					       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
	static const uint16_t distance[] = { 1,    2,    3,    4,     5,     7,    9,    13,
					     17,   25,   33,   49,    65,    97,   129,  193,
					     257,  385,  513,  769,   1025,  1537, 2049, 3073,
					     4097, 6145, 8193, 12289, 16385, 24577 };
	size_t n = 0;

	if (bits_take(&b, 3) != 3)
		return 0;
	while (b.used / 8 < b.bytes) {
		unsigned symbol = symbol_take(&b);

		if (symbol == 256)
			return b.used / 8 + (b.used % 8 != 0) == b.bytes ? n : 0;
		if (symbol < 256) {
			if (n < size)
				to[n++] = (uint8_t)symbol;
			continue;
		}
		unsigned run = length[symbol - 257] + bits_take(&b, length_bits[symbol - 257]);
		unsigned d = code_take(&b, 0, 5);
		unsigned back = distance[d] + bits_take(&b, d < 4 ? 0 : d / 2 - 1);

		for (; run && n < size && back <= n; run--, n++)
			to[n] = to[n - back];
	}
	return 0;
}

static void round_trip(const uint8_t *from, size_t n)
{
	static uint8_t packed[2 * DEFLATE_FROM_MAX], back[DEFLATE_FROM_MAX + 1];
	size_t size = deflate(packed, sizeof(packed), from, n);

	CHECK(size != 0);
	CHECK_NUMBER(inflate(back, sizeof(back), (struct bits){ packed, size, 0 }), n);
	CHECK(memcmp(back, from, n) == 0);
	CHECK_NUMBER(deflate(packed, size - 1, from, n), 0);
}

TEST(deflate_of_what_inflates_to_the_same)
{
	static uint8_t bytes[DEFLATE_FROM_MAX];
	struct random random = { 7 };

	for (unsigned letters = 1; letters <= 256; letters *= 4)
		for (size_t n = 0; n <= sizeof(bytes); n = n * 5 + 1) {
			for (size_t i = 0; i < n; i++)
				bytes[i] = (uint8_t)random_below(&random, letters);
			round_trip(bytes, n);
		}
	memset(bytes, 'x', sizeof(bytes));
	round_trip(bytes, sizeof(bytes));
	for (unsigned length = 3; length < 300; length++) { /* every length, at a far distance */
		for (size_t i = 0; i < 20000; i++)
			bytes[i] = (uint8_t)random_below(&random, 256);
		memcpy(bytes + 20000, bytes, length);
		round_trip(bytes, 20000 + length);
	}
}

/* ------------------------------------------------------------ QR */

/* The modules as another encoder (qrcodegen, version 20, level L, mask 0) draws them:
 * row by row, a byte 0 or 1 each. */
TEST(qr_code_as_others_draw_it)
{
	static bool dark[QR_SIZE][QR_SIZE];
	char text[QR_TEXT_MAX + 1];

	for (unsigned i = 0; i < sizeof(text); i++)
		text[i] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"[i * 7 % 45];
	CHECK(qr_encode(text, QR_TEXT_MAX, dark));
	CHECK_NUMBER(crc32(0, dark, sizeof(dark)), 0x93f87cef);
	CHECK(qr_encode(text, 100, dark));
	CHECK_NUMBER(crc32(0, dark, sizeof(dark)), 0xa4f8d6ed);
	CHECK(!qr_encode(text, QR_TEXT_MAX + 1, dark));
	CHECK(!qr_encode("lower", 5, dark));
}
