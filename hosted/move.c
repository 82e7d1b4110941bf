/* SPDX-License-Identifier: BSD-2-Clause */
/* From a CPU that others use to one that is left alone, where there is one of the same kind. */
#include "hosted/hosted.h"
#include "suite/machine.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 256

/* What must be the same: measured on either, a figure means the same. The CPUs of one L3 reach
 * the same memory at the same cost. The first must be known. */
static const char *const traits[] = { "cache/index0/size", "cache/index2/size",
				      "cache/index3/shared_cpu_list",
				      "topology/physical_package_id", "cpufreq/cpuinfo_max_freq" };

/* Another thread of this core would be no better. */
static const char threads[] = "topology/thread_siblings_list";

/* An empty text where the system does not tell. */
static void read_trait(int place, const char *trait, char *text)
{
	char path[TEXT_MAX];
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", place, trait);
	FILE *file = fopen(path, "r");
	text[0] = '\0';
	if (!file)
		return;
	if (!fgets(text, TEXT_MAX, file))
		text[0] = '\0';
	fclose(file);
}

static bool is_like(int one, int two)
{
	char a[TEXT_MAX], b[TEXT_MAX];
	read_trait(one, threads, a);
	read_trait(two, threads, b);
	if (strcmp(a, b) == 0)
		return false;
	read_trait(one, traits[0], a);
	if (!a[0])
		return false;
	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++) {
		read_trait(one, traits[i], a);
		read_trait(two, traits[i], b);
		if (strcmp(a, b) != 0)
			return false;
	}
	return true;
}

bool machine_move(void)
{
	static enum { UNKNOWN, LIKE, UNLIKE } kinds[CPU_SETSIZE];
	int here = cpus_place();
	if (here < 0 || here >= CPU_SETSIZE)
		return false;
	for (int place = cpus_after(here); place != here; place = cpus_after(place)) {
		if (kinds[place] == UNKNOWN)
			kinds[place] = is_like(here, place) ? LIKE : UNLIKE;
		if (kinds[place] == LIKE && cpus_move(place))
			return true;
	}
	return false;
}
