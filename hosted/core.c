/* SPDX-License-Identifier: BSD-2-Clause */
/* What a process can know and do of the core it runs on: little. */
#include "suite/machine.h"

#include <sys/resource.h>

bool machine_prefetchers(bool on, const char **why)
{
	(void)on;
	*why = "the switch needs ring 0";
	return false;
}

bool machine_fpu_lazy(void (*owner)(void), const char **why)
{
	(void)owner;
	*why = "CR0.TS needs ring 0";
	return false;
}

bool machine_core_count(uint64_t *cycles, const char **source)
{
	(void)cycles, (void)source;
	return false;
}

bool machine_event(enum event event, uint64_t *count, const char **why)
{
	(void)event, (void)count;
	*why = "counters need ring 0";
	return false;
}

/* The scheduler putting another process in our place. */
uint64_t machine_disturbances(void)
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage) < 0)
		return 0;
	return (uint64_t)usage.ru_nivcsw;
}
