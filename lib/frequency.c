/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/frequency.h"

struct wide {
	uint64_t high, low;
};

static struct wide multiply(uint64_t a, uint64_t b)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t carry = a0 * b1 + (uint32_t)middle;
	return (struct wide){ a1 * b1 + (middle >> 32) + (carry >> 32), a * b };
}

/* Bit by bit: i386 has no instruction for it, and nothing here is in a hurry. */
static uint64_t divide(struct wide x, uint64_t by)
{
	uint64_t quotient = 0;
	if (x.high >= by)
		return UINT64_MAX;
	for (int bit = 63; bit >= 0; bit--) {
		uint64_t carry = x.high >> 63;
		x.high = x.high << 1 | (x.low >> bit & 1);
		if (carry || x.high >= by) {
			x.high -= by;
			quotient |= (uint64_t)1 << bit;
		}
	}
	return quotient;
}

uint64_t multiply_divide(uint64_t a, uint64_t b, uint64_t c)
{
	return divide(multiply(a, b), c);
}

uint64_t frequency_apart(uint64_t a, uint64_t b)
{
	uint64_t smaller = a < b ? a : b, larger = a < b ? b : a;
	if (smaller == 0)
		return UINT64_MAX;
	return multiply_divide(larger - smaller, 1000000, smaller);
}

/* Where leaf 15h leaves the crystal out: SDM volume 3, "Determining the Processor Base
 * Frequency", by family and model. */
static uint32_t known_crystal(uint32_t signature)
{
	switch (signature & 0x0fff0ff0) {
	case 0x000406e0: /* Skylake, Kaby Lake and their followers */
	case 0x000506e0:
	case 0x000806e0:
	case 0x000906e0:
		return 24000000;
	case 0x00050650: /* Xeon Scalable */
	case 0x000506f0: /* Denverton */
		return 25000000;
	case 0x000506c0: /* Goldmont */
		return 19200000;
	default:
		return 0;
	}
}

uint64_t frequency_claimed(const struct frequency_leaves *l, const char **source)
{
	uint32_t crystal = l->crystal ? l->crystal : known_crystal(l->signature);
	*source = "cpuid15";
	if (crystal && l->numerator && l->denominator)
		return multiply_divide(crystal, l->numerator, l->denominator);
	*source = "cpuid16";
	if (l->base_mhz & 0xffff)
		return (uint64_t)(l->base_mhz & 0xffff) * 1000000;
	*source = "hypervisor";
	return (uint64_t)l->tsc_khz * 1000;
}
