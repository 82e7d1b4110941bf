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

static void list_routine(const struct routine *r)
{
	bool narrow = r->widths & 32, wide = r->widths & 64;

	record_text("%s: %s (%s)", r->name, r->title, r->source);
	record_text("  widths=%s%s%s needs=%s uses=%s runs here: %s", narrow ? "32" : "",
		    narrow && wide ? "," : "", wide ? "64" : "", or_dash(r->needs),
		    or_dash(r->uses), r->lacks[0] ? r->lacks : "yes");
}

static void list_form(const struct form *f)
{
	record_text("  %s.%s claims=%s%s%s%s minimum=%zu alignment=%zu", f->routine->name,
		    f->kind_name, f->claims == GRADE_LITERAL ? "literal" : "safe",
		    f->nt ? ",nt" : "", f->memmove ? ",memmove" : "", f->csum ? ",csum" : "",
		    f->minimum, f->alignment);
}

static void list_copies(void)
{
	const struct routine *routines;
	const struct form *forms;
	size_t routine_count = registry_routines(&routines), form_count = registry_forms(&forms);

	for (size_t i = 0; i < routine_count; i++) {
		list_routine(&routines[i]);
		for (size_t j = 0; j < form_count; j++)
			if (forms[j].routine == &routines[i])
				list_form(&forms[j]);
	}
}

/* ------------------------------------------------------------ experiments */

static void list_experiments(void)
{
	for (const struct experiment *e = NULL; (e = experiment_after(e));) {
		const char *lacks = experiment_lacks(e);

		record_text("%-15s %s%s%s", e->name, e->title, lacks ? "; not here: needs " : "",
			    lacks ? lacks : "");
	}
}

/* ------------------------------------------------------------ options */

static const struct option *option_after(const struct option *last)
{
	const struct option *next = NULL;

	for (const struct option *o = __start_options; o < __stop_options; o++)
		if ((!last || strcmp(o->name, last->name) > 0) &&
		    (!next || strcmp(o->name, next->name) < 0))
			next = o;
	return next;
}

static void list_options(void)
{
	for (const struct option *o = NULL; (o = option_after(o));)
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
