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

/* SKIPPED by way of experiment_skip(). */
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

/* The next one by name after `e`, the first for NULL, NULL after the last: the linker's
 * order is that of files on some disk, and a record's must be the same on all. */
const struct experiment *experiment_after(const struct experiment *e);

/* What the experiment needs and this machine cannot do ("needs ring 0"), or NULL. */
const char *experiment_lacks(const struct experiment *e);

/* For what run() returns: says why in the record. `why` stays valid. */
enum experiment_result experiment_skip(const char *name, const char *why);

/* What experiment_skip() was told last. */
const char *experiment_skipped(void);

#define EXPERIMENT(ident, exp_name, exp_title, exp_needs, exp_run)                                 \
	static const struct experiment experiment_##ident __attribute__((                          \
		used, section("experiments"), aligned(sizeof(void *)))) = { exp_name, exp_title,   \
									    exp_needs, exp_run }

#endif
