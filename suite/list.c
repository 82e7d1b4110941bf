/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/list.h"

#include "lib/format.h"
#include "lib/option.h"
#include "lib/string.h"
#include "suite/experiment.h"
#include "suite/identity.h"
#include "suite/machine.h"
#include "suite/record.h"
#include "suite/registry.h"

static void (*wanted)(void);

/* ------------------------------------------------------------ copies */

static const char *or_dash(const char *text)
{
	return text[0] ? text : "-";
}

/* How far this CPU promises a fast rep movsb, by CPUID. */
static void list_strings(void)
{
	static const char *const promises[] = { "erms", "fsrm", "fzrm", "fsrs", "fsrc" };
	char text[40], word[16];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
		if (features_check(identity_cpuid(), promises[i], word, sizeof(word)) == NEEDS_MET)
			n += format(text + n, sizeof(text) - n, " %s", promises[i]);
	record_text("rep movsb here:%s", n ? text : " plain");
}

static void list_form(const struct form *f)
{
	const struct routine *r = f->routine;
	bool narrow = r->widths & 32, wide = r->widths & 64;
	char limits[48] = "";

	if (f->minimum > 0 || f->alignment > 1)
		format(limits, sizeof(limits), " minimum=%zu alignment=%zu", f->minimum,
		       f->alignment);
	record_text("  %s.%s widths=%s%s%s needs=%s uses=%s claims=%s%s%s%s%s here=%s source=%s",
		    r->name, f->kind_name, narrow ? "32" : "", narrow && wide ? "," : "",
		    wide ? "64" : "", or_dash(r->needs), or_dash(r->uses),
		    f->claims == GRADE_LITERAL ? "literal" : "safe", f->nt ? ",nt" : "",
		    f->memmove ? ",memmove" : "", f->csum ? ",csum" : "", limits,
		    r->lacks[0] ? r->lacks : "yes", r->source);
}

static void list_copies(void)
{
	const struct routine *routines;
	const struct form *forms;
	size_t routine_count = registry_routines(&routines), form_count = registry_forms(&forms);

	list_strings();
	for (size_t i = 0; i < routine_count; i++) {
		const struct routine *r = &routines[i];
		bool built = false;

		record_text("%s: %s", r->name, r->title);
		for (size_t j = 0; j < form_count; j++) {
			if (forms[j].routine != r)
				continue;
			list_form(&forms[j]);
			built = true;
		}
		if (!built)
			record_text("  not in this image: %s", r->lacks);
	}
	record_text("%zu routines, %zu forms", routine_count, form_count);
}

/* ------------------------------------------------------------ experiments */

static void list_experiments(void)
{
	for (const struct experiment *e = NULL; (e = experiment_after(e));) {
		const char *lacks = experiment_lacks(e);

		record_text("%-15s %s%s%s", e->name, e->title, lacks ? "; not here: " : "",
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
	wanted = list_options; /* who asks for a list wants no run */
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
