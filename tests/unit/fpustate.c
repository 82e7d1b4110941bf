/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/fpustate.h"

#include "tests/unit/test.h"

static void avx512(uint32_t subleaf, uint32_t *eax, uint32_t *ebx)
{
	static const uint32_t bytes[8] = { [2] = 256, [5] = 64, [6] = 512, [7] = 1024 };
	static const uint32_t offset[8] = { [2] = 576, [5] = 1088, [6] = 1152, [7] = 1664 };
	*eax = bytes[subleaf];
	*ebx = offset[subleaf];
}

/* What is seen when the byte at `offset` of a saved state is another. */
static uint32_t changed_at(const struct fpu_layout *layout, uint32_t offset)
{
	static struct fpu_state before, after;
	fpu_state_pattern(layout, &before);
	after = before;
	CHECK_NUMBER(fpu_state_changed(layout, &before, &after), 0);
	after.bytes[offset] ^= 1;
	return fpu_state_changed(layout, &before, &after);
}

TEST(every_part_of_the_xsave_area_is_compared)
{
	struct fpu_layout layout;
	fpu_layout_find(&layout, 0xe7, true, avx512);
	CHECK_NUMBER(layout.mask, 0xe7);
	CHECK_NUMBER(changed_at(&layout, 0), FPU_X87_CONTROL);
	CHECK_NUMBER(changed_at(&layout, 4), FPU_X87_TAGS);
	CHECK_NUMBER(changed_at(&layout, 25), FPU_MXCSR);
	CHECK_NUMBER(changed_at(&layout, 32 + 7 * 16 + 9), FPU_FILE_X87);
	CHECK_NUMBER(changed_at(&layout, 160 + 255), FPU_FILE_XMM);
	CHECK_NUMBER(changed_at(&layout, 576 + 255), FPU_FILE_YMM);
	CHECK_NUMBER(changed_at(&layout, 1088 + 63), FPU_FILE_OPMASK);
	CHECK_NUMBER(changed_at(&layout, 1152), FPU_FILE_ZMM);
	CHECK_NUMBER(changed_at(&layout, 2687), FPU_FILE_ZMM_16);
	CHECK_NUMBER(changed_at(&layout, 32 + 10), 0); /* no register lies there */
}

TEST(a_cleared_upper_half_is_seen)
{
	static struct fpu_state before, after;
	struct fpu_layout layout;
	fpu_layout_find(&layout, 7, true, avx512);
	fpu_state_pattern(&layout, &before);
	after = before;
	after.bytes[512] &= (uint8_t)~4u; /* XSTATE_BV: the upper halves are initial, or zero */
	CHECK_NUMBER(fpu_state_changed(&layout, &before, &after), FPU_FILE_YMM);
}

TEST(older_ways_of_saving)
{
	struct fpu_layout layout;
	fpu_layout_find(&layout, 3, false, avx512);
	CHECK_NUMBER(layout.how, SAVE_FXSAVE);
	CHECK_NUMBER(changed_at(&layout, 160), FPU_FILE_XMM);
	CHECK_NUMBER(changed_at(&layout, 576), 0);
	fpu_layout_find(&layout, 1, false, avx512);
	CHECK_NUMBER(layout.how, SAVE_FNSAVE);
	CHECK_NUMBER(changed_at(&layout, 0), FPU_X87_CONTROL);
	CHECK_NUMBER(changed_at(&layout, 8), FPU_X87_TAGS);
	CHECK_NUMBER(changed_at(&layout, 28 + 79), FPU_FILE_X87);
}

TEST(patterns_leave_the_x87_usable)
{
	static struct fpu_state s;
	struct fpu_layout layout;
	fpu_layout_find(&layout, 3, false, avx512);
	fpu_state_pattern(&layout, &s);
	CHECK_NUMBER(s.bytes[4], 0);            /* all empty */
	CHECK_NUMBER(s.bytes[0] & 0x3f, 0x3f);  /* all exceptions masked */
	CHECK_NUMBER(s.bytes[24] & 0x80, 0x80); /* MXCSR's masks are bits 7 to 12 */
	CHECK_NUMBER(s.bytes[25] & 0x1f, 0x1f);
}
