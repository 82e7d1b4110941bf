/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/tscstep.h"

#include "lib/random.h"
#include "tests/unit/test.h"

static struct tscstep s;

/* Distances of a counter that goes on by step/10 of a tick, and shows whole ticks. */
static uint32_t step_of(uint32_t tenths, unsigned strays)
{
	struct random r = random_seeded(tenths);

	s = (struct tscstep){ 0 };
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t start = random_below(&r, 1000), end = start + 1 + random_below(&r, 12);

		tscstep_add(&s, end * tenths / 10 - start * tenths / 10);
	}
	for (unsigned i = 0; i < strays; i++)
		tscstep_add(&s, 1 + random_below(&r, 4000));
	return tscstep_find(&s);
}

TEST(the_step_of_the_tsc_is_found)
{
	CHECK_NUMBER(step_of(10, 0), 1);
	CHECK_NUMBER(step_of(210, 0), 21);
	CHECK_NUMBER(step_of(260, 0), 26);
	CHECK_NUMBER(step_of(245, 0), 24);
	CHECK_NUMBER(step_of(210, 200), 21); /* interruptions at odd moments */
	s = (struct tscstep){ 0 };
	CHECK_NUMBER(tscstep_find(&s), 1);
	for (unsigned i = 0; i < 100; i++) {
		tscstep_add(&s, 0);
		tscstep_add(&s, TSCSTEP_SPAN);
		tscstep_add(&s, ~0ull);
	}
	CHECK_NUMBER(tscstep_find(&s), 1);
}
