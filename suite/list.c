/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/list.h"

#include "lib/option.h"
#include "lib/string.h"
#include "suite/experiment.h"
#include "suite/machine.h"
#include "suite/record.h"
#include "suite/registry.h"

static void (*wanted)(void);

/* ------------------------------------------------------------ copies */

static const char *or_dash(const char *text)
{
	return text[0] ? text : "-";
}

static void list_copies(void)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);

	for (size_t i = 0; i < count; i++) {
		const struct form *f = &forms[i];
		const struct routine *r = f->routine;

		if (!i || r != forms[i - 1].routine)
			record_text("%s: %s (%s)", r->name, r->title, r->source);
		record_text("  %s.%s widths=%s needs=%s uses=%s claims=%s%s minimum=%zu "
			    "alignment=%zu runs=%s",
			    r->name, f->kind_name,
			    r->widths == 96   ? "32,64"
			    : r->widths == 64 ? "64"
					      : "32",
			    or_dash(r->needs), or_dash(r->uses),
			    f->claims == GRADE_LITERAL ? "literal" : "safe", f->nt ? ",nt" : "",
			    f->minimum, f->alignment, r->lacks[0] ? r->lacks : "yes");
	}
}

/* ------------------------------------------------------------ experiments */

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

static void list_experiments(void)
{
	for (const struct experiment *e = __start_experiments; e < __stop_experiments; e++) {
		const char *lacks = experiment_lacks(e);

		record_text("%-15s %s%s%s", e->name, e->title, lacks ? "; not here: needs " : "",
			    lacks ? lacks : "");
	}
}

/* ------------------------------------------------------------ options */

static void list_options(void)
{
	for (const struct option *o = __start_options; o < __stop_options; o++)
		record_text("%s=%s: %s", o->name, o->values, o->help);
}

/* ------------------------------------------------------------ list= */

static bool set_list(const char *value)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} lists[] = {
		{ "copies", list_copies },
		{ "experiments", list_experiments },
		{ "options", list_options },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (strcmp(value, lists[i].name) == 0) {
			wanted = lists[i].print;
			return true;
		}
	}
	return false;
}
OPTION(list, "copies|experiments|options", "print what there is, and run nothing", set_list);

bool list_wanted(void)
{
	return wanted;
}

void list_print(void)
{
	wanted();
}
