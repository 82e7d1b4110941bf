/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/extable.h"

#include "lib/random.h"
#include "tests/unit/test.h"

#define ENTRIES 500

static char code[4096];

static int in_code(uintptr_t ip)
{
	return ip >= (uintptr_t)code && ip < (uintptr_t)code + sizeof(code);
}

static void set(struct extable_entry *e, const char *insn, const char *fixup)
{
	e->insn = (int32_t)((uintptr_t)insn - (uintptr_t)&e->insn);
	e->fixup = (int32_t)((uintptr_t)fixup - (uintptr_t)&e->fixup);
}

TEST(exception_table_is_sorted_and_searched)
{
	static struct extable_entry entries[ENTRIES];
	static struct extable_sorted sorted[ENTRIES];
	struct random r = random_seeded(7);
	uintptr_t bad = 0;

	/* Every 8th byte of the code once, in a random order. */
	for (unsigned i = 0; i < ENTRIES; i++)
		set(&entries[i], code + 8 * i, code + 8 * i + 3);
	for (unsigned i = ENTRIES; i-- > 1;) {
		unsigned j = random_below(&r, i + 1);
		const char *a = (char *)extable_insn(&entries[i]),
			   *b = (char *)extable_insn(&entries[j]);

		set(&entries[i], b, b + 3);
		set(&entries[j], a, a + 3);
	}
	CHECK_NUMBER(extable_build(entries, ENTRIES, sorted, in_code, &bad), EXTABLE_OK);
	for (unsigned i = 0; i < ENTRIES; i++) {
		uintptr_t ip = (uintptr_t)code + 8 * i;

		CHECK_NUMBER(extable_find(sorted, ENTRIES, ip), ip + 3);
		CHECK_NUMBER(extable_find(sorted, ENTRIES, ip + 1), 0);
	}
	CHECK_NUMBER(extable_find(sorted, ENTRIES, (uintptr_t)code - 1), 0);
	CHECK_NUMBER(extable_find(sorted, 0, (uintptr_t)code), 0);
}

TEST(exception_table_refuses_duplicates_and_strangers)
{
	static struct extable_entry entries[3];
	static struct extable_sorted sorted[3];
	uintptr_t bad = 0;

	set(&entries[0], code + 20, code + 30);
	set(&entries[1], code + 10, code + 40);
	set(&entries[2], code + 20, code + 50);
	CHECK_NUMBER(extable_build(entries, 3, sorted, in_code, &bad), EXTABLE_DUPLICATE);
	CHECK_NUMBER(bad, (uintptr_t)code + 20);

	set(&entries[2], code + sizeof(code), code);
	CHECK_NUMBER(extable_build(entries, 3, sorted, in_code, &bad), EXTABLE_STRANGER);
	CHECK_NUMBER(bad, (uintptr_t)code + sizeof(code));

	set(&entries[2], code + 5, code + sizeof(code)); /* the fixup is the stranger */
	CHECK_NUMBER(extable_build(entries, 3, sorted, in_code, &bad), EXTABLE_STRANGER);
	CHECK_NUMBER(bad, (uintptr_t)code + 5);
}
