/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run was asked for, as the rest of the suite sees it. */
#ifndef SUITE_OPTIONS_H
#define SUITE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum suite_level {
	SUITE_QUICK,    /* the default under an emulator */
	SUITE_STANDARD, /* the default on hardware and hosted */
	SUITE_FULL,
	SUITE_CONTRACT /* the contract in depth, no experiments */
};

struct suite_options {
	enum suite_level level;
	bool depth_max;  /* depth=max: every combination */
	unsigned rounds; /* of experiments: rounds=N, else what the level says */
	uint64_t seed;
};

/* Valid once the run's START is written. */
const struct suite_options *suite_options(void);

#endif
