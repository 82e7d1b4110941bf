/* SPDX-License-Identifier: BSD-2-Clause */
/* From which size on one way costs no more than another. */
#ifndef SUITE_THRESHOLD_H
#define SUITE_THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

/* Bytes. No figure: both 0. Never: both SIZE_MAX. */
struct threshold {
	size_t from, to; /* to is SIZE_MAX where it lasts to the largest size */
	size_t first;    /* the smallest size that was measured: `from` may be lower in truth */
};

/*
 * The first range of sizes in which `a` is no larger than `b`; where they cross between two
 * sizes, by linear interpolation. `sizes` ascend; a size where either figure is 0 was not
 * measured, and counts for nothing.
 */
struct threshold threshold_find(const uint32_t *sizes, const uint64_t *a, const uint64_t *b,
				unsigned count);

/* "512+" from 512 on; "512-1500" only up to 1500; "<=64+" from the first size that was
 * measured on; "never"; "n/a". */
struct threshold_text {
	char text[48];
};
struct threshold_text threshold_text(struct threshold t);

#endif
