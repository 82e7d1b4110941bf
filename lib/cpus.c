/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/cpus.h"

#include "lib/option.h"

static unsigned wanted = 2;
static bool limited;

static bool set_cpus(const char *value)
{
	unsigned long long n;

	if (!option_number(value, &n) || n < 1 || n > CPUS_MAX)
		return false;
	wanted = (unsigned)n;
	limited = true;
	return true;
}
OPTION(cpus, "1..32",
       "processors to use at most (2: no experiment needs more; all for a process's contract)",
       set_cpus);

unsigned cpus_wanted(void)
{
	return wanted;
}

bool cpus_limited(void)
{
	return limited;
}
