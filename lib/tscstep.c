/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/tscstep.h"

#include <stdbool.h>

#define READINGS 20000u

void tscstep_add(struct tscstep *s, uint64_t distance)
{
	s->samples++;
	if (distance > 0 && distance < TSCSTEP_SPAN)
		s->seen[distance]++;
}

static bool counts(const struct tscstep *s, uint32_t distance)
{
	return s->seen[distance] > s->samples / 2000;
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The smallest distance between the starts of clusters, where a cluster is one
 * value or two neighbours; 1 where there are wider ones, or fewer than two. */
static uint32_t cluster_distance(const struct tscstep *s)
{
	uint32_t smallest = 0, last = 0, width = 0;
	for (uint32_t d = 1; d < TSCSTEP_SPAN; d++) {
		if (!counts(s, d)) {
			width = 0;
			continue;
		}
		if (++width > 2)
			return 1;
		if (width == 2)
			continue;
		if (last && (!smallest || d - last < smallest))
			smallest = d - last;
		last = d;
	}
	/* with less than two free values between clusters, chance gaps would pass for a step */
	return smallest >= 4 ? smallest : 1;
}

uint32_t tscstep_find(const struct tscstep *s)
{
	uint32_t divisor = 0;
	for (uint32_t d = 1; d < TSCSTEP_SPAN && divisor != 1; d++)
		if (counts(s, d))
			divisor = greatest_common_divisor(d, divisor);
	if (divisor == 1)
		return cluster_distance(s);
	return divisor ? divisor : 1;
}

static uint64_t tsc(enum bracket_fence fence)
{
	uint32_t low, high, leaf = 0, c;
	if (fence == BRACKET_LFENCE)
		__asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
	else
		__asm__ volatile("cpuid\n\trdtsc"
				 : "=a"(low), "=d"(high), "=c"(c)
				 : "0"(leaf)
				 : "ebx", "memory");
	return (uint64_t)high << 32 | low;
}

/* Passes of an odd and of an even number of instructions: a counter that counts
 * instructions, as an emulator's may, must not look as if it had a step. */
static void pause(uint32_t passes)
{
	if (passes & 1)
		__asm__ volatile("nop");
	for (uint32_t i = 0; i < passes; i++)
		__asm__ volatile("" : : "r"(i));
}

uint32_t tscstep_measure(enum bracket_fence fence)
{
	static struct tscstep s;
	s = (struct tscstep){ 0 };
	for (uint32_t i = 0; i < READINGS; i++) {
		uint64_t before = tsc(fence);
		pause(i % 251);
		tscstep_add(&s, tsc(fence) - before);
	}
	return tscstep_find(&s);
}
