/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/experiment.h"

#include "lib/string.h"
#include "suite/machine.h"

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
		{ CAN_RING0, "ring 0" },
		{ CAN_USER_MODE, "a user mode of its own" },
		{ CAN_CPUS, "a second CPU" },
	};

	for (size_t i = 0; i < sizeof(abilities) / sizeof(abilities[0]); i++)
		if (e->needs & ~machine_can() & abilities[i].can)
			return abilities[i].name;
	return NULL;
}
