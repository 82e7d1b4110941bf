/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/experiment.h"

#include "lib/string.h"
#include "suite/machine.h"
#include "suite/record.h"

const struct experiment *experiment_after(const struct experiment *last)
{
	const struct experiment *next = NULL;

	for (const struct experiment *e = __start_experiments; e < __stop_experiments; e++)
		if ((!last || strcmp(e->name, last->name) > 0) &&
		    (!next || strcmp(e->name, next->name) < 0))
			next = e;
	return next;
}

const char *experiment_lacks(const struct experiment *e)
{
	static const struct {
		uint32_t can;
		const char *name;
	} abilities[] = {
		{ CAN_RING0, "needs ring 0" },
		{ CAN_USER_MODE, "needs a user mode of its own" },
		{ CAN_CPUS, "needs a second CPU" },
	};

	for (size_t i = 0; i < sizeof(abilities) / sizeof(abilities[0]); i++)
		if (e->needs & ~machine_can() & abilities[i].can)
			return abilities[i].name;
	return NULL;
}

static const char *skipped_why;

enum experiment_result experiment_skip(const char *name, const char *why)
{
	skipped_why = why;
	record_text("%s: skipped: %s", name, why);
	return EXPERIMENT_SKIPPED;
}

const char *experiment_skipped(void)
{
	return skipped_why;
}
