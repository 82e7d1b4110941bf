/* SPDX-License-Identifier: BSD-2-Clause */
/* What the place of code and of data alone makes of a figure. */
#ifndef SUITE_LAYOUT_H
#define SUITE_LAYOUT_H

#include "suite/registry.h"

#include <stdbool.h>
#include <stdint.h>

#define LAYOUT_BYTES 4096u /* what is copied, hot */
#define LAYOUT_DATA  4u    /* sets of pages */

struct layout {
	unsigned places;                 /* of the code; 0: not measured, or no plain form */
	uint64_t code[REGISTRY_LAYOUTS]; /* medians over the data, in thousandths of ticks or */
	uint64_t data[LAYOUT_DATA];      /* core cycles; and over the code */
	uint64_t code_effect;            /* largest less smallest, in thousandths of a percent */
	uint64_t data_effect;
};

/* Measured at the first call for a routine, 50 ms or so; not under an emulator. */
const struct layout *layout_of(const struct routine *routine);

/* The larger of the two effects: a lead of no more than this is none. */
uint64_t layout_effect(const struct form *form);

#endif
