/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One file in suite/experiments/ is one experiment:
 *
 *	static enum experiment_result run(void) { ... }
 *	EXPERIMENT(dst_align, "dst-align", "throughput against destination misalignment", 0, run);
 */
#ifndef SUITE_EXPERIMENT_H
#define SUITE_EXPERIMENT_H

#include <stdint.h>

/* SKIPPED: the experiment has said why, as text. */
enum experiment_result { EXPERIMENT_DONE, EXPERIMENT_SKIPPED, EXPERIMENT_DIED };

struct experiment {
	const char *name;
	const char *title;
	uint32_t needs; /* enum machine_can, all of them; else it is reported as skipped */
	enum experiment_result (*run)(void);
};

/* Weak: a build without experiments has no such section. */
extern const struct experiment __start_experiments[] __attribute__((weak));
extern const struct experiment __stop_experiments[] __attribute__((weak));

#define EXPERIMENT(ident, exp_name, exp_title, exp_needs, exp_run)                                 \
	static const struct experiment experiment_##ident __attribute__((                          \
		used, section("experiments"), aligned(sizeof(void *)))) = { exp_name, exp_title,   \
									    exp_needs, exp_run }

#endif
