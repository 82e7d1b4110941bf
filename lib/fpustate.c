/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Images of SDM volume 1: FNSAVE (protected mode, 32-bit) figure 8-9, FXSAVE table
 * 10-2, XSAVE 13.4.
 */
#include "lib/fpustate.h"

#include "lib/call.h"
#include "lib/differ.h"
#include "lib/string.h"

#define FNSAVE_CONTROL   0
#define FNSAVE_TAGS      8
#define FNSAVE_REGISTERS 28
#define FNSAVE_REGISTER  10

#define FXSAVE_CONTROL   0
#define FXSAVE_TAGS      4 /* abridged: a bit a register, 0 is empty */
#define FXSAVE_MXCSR     24
#define FXSAVE_REGISTERS 32
#define FXSAVE_REGISTER  16
#define FXSAVE_XMM       160

#define XSAVE_XSTATE_BV 512
#define XSAVE_HEADER    64

#define X87_REGISTERS     8
#define X87_BYTES         10
#define XMM_REGISTERS     (sizeof(void *) == 8 ? 16u : 8u)
#define X87_CONTROL_CLEAN 0x037fu
/* Round towards zero; 64-bit precision, since a narrower one is refused by nothing but
 * would be a reason for a copy through x87 to differ. */
#define X87_CONTROL_PATTERN 0x0f7fu
#define MXCSR_PATTERN       0x7f80u

#define XCR0_X87 (1u << 0)
#define XCR0_SSE (1u << 1)
#define XCR0_AVX (1u << 2)

/* By bits of XCR0, from the first that has its place in the extended area. */
static const uint32_t component_file[8] = {
	[2] = FPU_FILE_YMM, [5] = FPU_FILE_OPMASK, [6] = FPU_FILE_ZMM, [7] = FPU_FILE_ZMM_16
};

void fpu_layout_find(struct fpu_layout *layout, uint64_t xcr0, bool xsave,
		     void (*cpuid_0d)(uint32_t subleaf, uint32_t *eax, uint32_t *ebx))
{
	memset(layout, 0, sizeof(*layout));
	layout->how = xsave ? SAVE_XSAVE : xcr0 & XCR0_SSE ? SAVE_FXSAVE : SAVE_FNSAVE;
	layout->mask = XCR0_X87 | ((uint32_t)xcr0 & XCR0_SSE);
	if (!xsave)
		return;
	for (uint32_t i = 2; i < 8; i++) {
		uint32_t bytes, offset;
		if (!(xcr0 >> i & 1) || !component_file[i])
			continue;
		cpuid_0d(i, &bytes, &offset);
		if (sizeof(void *) == 4) /* registers 8 and up are out of reach */
			bytes = i == 7                                 ? 0
				: component_file[i] == FPU_FILE_OPMASK ? bytes
								       : bytes / 2;
		if (offset + bytes > FPU_STATE_BYTES || bytes == 0)
			continue;
		layout->mask |= 1u << i;
		layout->component[i].offset = offset;
		layout->component[i].bytes = bytes;
	}
}

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, value);
	put16(at + 2, value >> 16);
}

static void put_controls(const struct fpu_layout *layout, uint8_t *s, uint32_t x87, uint32_t mxcsr)
{
	if (layout->how == SAVE_FNSAVE) {
		put16(s + FNSAVE_CONTROL, x87);
		put16(s + FNSAVE_TAGS, 0xffff);
	} else {
		put16(s + FXSAVE_CONTROL, x87);
		put32(s + FXSAVE_MXCSR, mxcsr);
	}
}

void fpu_state_clean(const struct fpu_layout *layout, struct fpu_state *s)
{
	memset(s, 0, sizeof(*s));
	put_controls(layout, s->bytes, X87_CONTROL_CLEAN, FPU_MXCSR_RESET);
}

static void fill(uint8_t *at, uint32_t bytes, uint8_t with)
{
	for (uint32_t i = 0; i < bytes; i++)
		at[i] = (uint8_t)(with + i * 37);
}

void fpu_state_pattern(const struct fpu_layout *layout, struct fpu_state *s)
{
	bool old = layout->how == SAVE_FNSAVE;
	memset(s, 0, sizeof(*s));
	put_controls(layout, s->bytes, X87_CONTROL_PATTERN, MXCSR_PATTERN);
	for (uint32_t i = 0; i < X87_REGISTERS; i++)
		fill(s->bytes + (old ? FNSAVE_REGISTERS + i * FNSAVE_REGISTER
				     : FXSAVE_REGISTERS + i * FXSAVE_REGISTER),
		     X87_BYTES, (uint8_t)(0x11 + i * 16));
	if (layout->mask & XCR0_SSE)
		fill(s->bytes + FXSAVE_XMM, XMM_REGISTERS * 16, 0x21);
	for (uint32_t i = 2; i < 8; i++)
		fill(s->bytes + layout->component[i].offset, layout->component[i].bytes,
		     (uint8_t)(0x31 + i * 16));
	if (layout->how == SAVE_XSAVE)
		put32(s->bytes + XSAVE_XSTATE_BV, layout->mask);
}

static bool differ(const struct fpu_state *a, const struct fpu_state *b, uint32_t offset,
		   uint32_t bytes)
{
	return first_difference(a->bytes + offset, b->bytes + offset, bytes) < bytes;
}

static uint32_t changed_fnsave(const struct fpu_state *before, const struct fpu_state *after)
{
	return (differ(before, after, FNSAVE_CONTROL, 2) ? FPU_X87_CONTROL : 0) |
	       (differ(before, after, FNSAVE_TAGS, 2) ? FPU_X87_TAGS : 0) |
	       (differ(before, after, FNSAVE_REGISTERS, X87_REGISTERS * FNSAVE_REGISTER)
			? FPU_FILE_X87
			: 0);
}

static uint32_t changed_fxsave(const struct fpu_state *before, const struct fpu_state *after)
{
	uint32_t changed = (differ(before, after, FXSAVE_CONTROL, 2) ? FPU_X87_CONTROL : 0) |
			   (differ(before, after, FXSAVE_TAGS, 1) ? FPU_X87_TAGS : 0) |
			   (differ(before, after, FXSAVE_MXCSR, 4) ? FPU_MXCSR : 0);
	/* with what is reserved between them, as nearly always */
	if (!differ(before, after, FXSAVE_REGISTERS,
		    FXSAVE_XMM + XMM_REGISTERS * 16 - FXSAVE_REGISTERS))
		return changed;
	for (uint32_t i = 0; i < X87_REGISTERS; i++)
		if (differ(before, after, FXSAVE_REGISTERS + i * FXSAVE_REGISTER, X87_BYTES))
			changed |= FPU_FILE_X87;
	if (differ(before, after, FXSAVE_XMM, XMM_REGISTERS * 16))
		changed |= FPU_FILE_XMM;
	return changed;
}

uint32_t fpu_state_changed(const struct fpu_layout *layout, const struct fpu_state *before,
			   const struct fpu_state *after)
{
	if (layout->how == SAVE_FNSAVE)
		return changed_fnsave(before, after);
	uint32_t changed = changed_fxsave(before, after);
	for (uint32_t i = 2; i < 8; i++)
		if (layout->component[i].bytes &&
		    (!(after->bytes[XSAVE_XSTATE_BV] >> i & 1) ||
		     differ(before, after, layout->component[i].offset,
			    layout->component[i].bytes)))
			changed |= component_file[i];
	return changed;
}

/* ------------------------------------------------------------ around a call */

static struct fpu_layout here;
static struct fpu_state pattern, clean, after, asleep, others;

void fpu_calls_start(uint64_t xcr0, bool xsave,
		     void (*cpuid_0d)(uint32_t subleaf, uint32_t *eax, uint32_t *ebx))
{
	fpu_layout_find(&here, xcr0, xsave, cpuid_0d);
	fpu_state_pattern(&here, &pattern);
	fpu_state_clean(&here, &clean);
	others = pattern;
	for (size_t i = FXSAVE_REGISTERS; i < XSAVE_XSTATE_BV; i++)
		others.bytes[i] ^= 0xff;
	for (size_t i = XSAVE_XSTATE_BV + XSAVE_HEADER; i < FPU_STATE_BYTES; i++)
		others.bytes[i] ^= 0xff;
}

static void load(const struct fpu_state *s)
{
	fpu_restore(here.how, here.mask, s);
}

void fpu_call_begin(struct protected_call *call)
{
	call->fpu_how = here.how;
	call->fpu_mask = here.mask;
	call->fpu_before = &pattern;
	call->fpu_after = &after;
}

static bool left; /* registers hold what the last call left in them */

/* Upper halves that are not zero slow down what compilers make of SSE on some CPUs. */
uint32_t fpu_call_end(const struct protected_call *call)
{
	left = true;
	fpu_clean(here.mask & XCR0_SSE);
	if (here.mask & XCR0_AVX)
		__asm__ volatile("vzeroupper");
	return call->returned ? fpu_state_changed(&here, &pattern, &after) : 0;
}

void fpu_calls_done(void)
{
	if (left)
		load(&clean);
	left = false;
}

void fpu_use(bool registers)
{
	left = false;
	load(registers ? &pattern : &clean);
}

void fpu_lose(void)
{
	load(&others);
}

void fpu_lose_image(void *image)
{
	uint8_t *to = image;

	memcpy(to + FXSAVE_REGISTERS, others.bytes + FXSAVE_REGISTERS,
	       FXSAVE_XMM + XMM_REGISTERS * 16 - FXSAVE_REGISTERS);
	if (here.how != SAVE_XSAVE)
		return;
	to[XSAVE_XSTATE_BV] |= (uint8_t)here.mask;
	for (uint32_t i = 2; i < 8; i++)
		memcpy(to + here.component[i].offset, others.bytes + here.component[i].offset,
		       here.component[i].bytes);
}

void fpu_sleep(void)
{
	fpu_save(here.how, here.mask, &asleep);
	load(&others);
	load(&asleep);
}
