/* SPDX-License-Identifier: BSD-2-Clause */
/* The same code at four places and on four sets of pages: what a difference between
 * two routines must exceed to mean anything. */
#include "suite/layout.h"

#include "lib/format.h"
#include "suite/core.h"
#include "suite/experiment.h"
#include "suite/record.h"

#define NAME "layout"

static void show(const struct routine *routine)
{
	char line[RECORD_LINE_MAX];
	const struct layout *l = layout_of(routine);
	if (!l->places)
		return;
	int at = format(line, sizeof(line), "%24s", routine->name);
	for (unsigned i = 0; i < REGISTRY_LAYOUTS; i++)
		at += format(line + at, sizeof(line) - (size_t)at, " %9s",
			     i < l->places ? fixed(l->code[i], 1).text : "n/a");
	at += format(line + at, sizeof(line) - (size_t)at, " %7s  ", fixed(l->code_effect, 1).text);
	for (unsigned i = 0; i < LAYOUT_DATA; i++)
		at += format(line + at, sizeof(line) - (size_t)at, " %9s",
			     fixed(l->data[i], 1).text);
	format(line + at, sizeof(line) - (size_t)at, " %7s", fixed(l->data_effect, 1).text);
	record_text("%s", line);
}

static enum experiment_result run(void)
{
	const struct routine *routines;
	size_t count = registry_routines(&routines);
	if (!core_known())
		return experiment_skip(NAME, "an emulator's figures do not depend on layout");
	record_text(
		"%s: core cycles for %u bytes, hot; code so many bytes after a 64-byte boundary, "
		"data on so many sets of pages; effect in %%",
		NAME, LAYOUT_BYTES);
	record_text("%24s %9s %9s %9s %9s %7s   %9s %9s %9s %9s %7s", "", "0", "16", "32", "48",
		    "effect", "set 1", "set 2", "set 3", "set 4", "effect");
	for (size_t i = 0; i < count; i++)
		if (registry_chosen(&routines[i]) && !routines[i].lacks[0])
			show(&routines[i]);
	return EXPERIMENT_DONE;
}

EXPERIMENT(layout, NAME, "what the place of code and data alone makes of a figure", 0, run);
