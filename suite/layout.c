/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/layout.h"

#include "suite/core.h"
#include "suite/machine.h"
#include "suite/measure.h"
#include "suite/stats.h"

#define ROUTINES 128u

static struct layout layouts[ROUTINES];
static bool tried[ROUTINES];

/* Thousandths of core cycles, or of ticks where those are not known; 0: no figure. */
static uint64_t figure(uintptr_t entry, const struct area *to, const struct area *from, size_t page)
{
	struct measured m;
	const char *why;
	if (!measure_hot(entry, to->base + page * MACHINE_PAGE, from->base + page * MACHINE_PAGE,
			 LAYOUT_BYTES, &m, &why))
		return 0;
	return m.cycles ? m.cycles : m.ticks;
}

static uint64_t median_of(const uint64_t *figures, unsigned count, unsigned stride)
{
	uint64_t sorted[REGISTRY_LAYOUTS + LAYOUT_DATA];
	for (unsigned i = 0; i < count; i++)
		sorted[i] = figures[i * stride];
	stats_sort(sorted, count);
	return stats_median(sorted, count);
}

static uint64_t effect(const uint64_t *medians, unsigned count)
{
	uint64_t low = medians[0], high = medians[0];
	for (unsigned i = 1; i < count; i++) {
		low = medians[i] < low ? medians[i] : low;
		high = medians[i] > high ? medians[i] : high;
	}
	return stats_spread(low, high, low);
}

static void measure_layout(const struct routine *routine, struct area *to, struct area *from,
			   struct layout *l)
{
	uintptr_t entry[REGISTRY_LAYOUTS];
	uint64_t figures[LAYOUT_DATA][REGISTRY_LAYOUTS];
	const char *why;
	unsigned places = (unsigned)registry_layouts(routine, entry);
	for (unsigned data = 0; data < LAYOUT_DATA; data++) {
		if (!machine_area_renew(to, &why) || !machine_area_renew(from, &why))
			return;
		for (unsigned code = 0; code < places; code++)
			figures[data][code] = figure(entry[code], to, from, data);
	}
	for (unsigned code = 0; code < places; code++)
		l->code[code] = median_of(&figures[0][code], LAYOUT_DATA, REGISTRY_LAYOUTS);
	for (unsigned data = 0; data < LAYOUT_DATA && places; data++)
		l->data[data] = median_of(figures[data], places, 1);
	l->code_effect = places ? effect(l->code, places) : 0;
	l->data_effect = places ? effect(l->data, LAYOUT_DATA) : 0;
	l->places = places;
}

const struct layout *layout_of(const struct routine *routine)
{
	const struct routine *all;
	size_t count = registry_routines(&all), i = (size_t)(routine - all);
	struct area to, from;
	const char *why;
	if (i >= count || i >= ROUTINES || tried[i] || routine->lacks[0] || !core_known())
		return &layouts[i < ROUTINES ? i : 0];
	tried[i] = true;
	/* A page more than is copied: AVX-512's masked moves take an assist, and hundreds of
	 * cycles, where what they mask out is not mapped. */
	const size_t bytes = (LAYOUT_DATA + 1) * MACHINE_PAGE;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, bytes, &to, &why))
		return &layouts[i];
	if (machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, bytes, &from, &why)) {
		measure_layout(routine, &to, &from, &layouts[i]);
		machine_area_unmap(&from);
	}
	machine_area_unmap(&to);
	return &layouts[i];
}

uint64_t layout_effect(const struct form *form)
{
	const struct layout *l = layout_of(form->routine);
	return l->code_effect > l->data_effect ? l->code_effect : l->data_effect;
}
