/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/registry.h"

#include "lib/format.h"
#include "lib/fpustate.h"
#include "lib/option.h"
#include "lib/string.h"
#include "suite/features.h"
#include "suite/identity.h"
#include "suite/record.h"

#include <stdarg.h>

#define ROUTINES_MAX 256
#define FORMS_MAX    1280

static struct routine routines[ROUTINES_MAX];
static const struct copy_routine_decl *declared_at[ROUTINES_MAX];
static size_t routine_count;
static struct form forms[FORMS_MAX];
static size_t form_count;
static bool sound;

static const char *const kind_names[FORM_KINDS] = {
	"plain", "to_user", "from_user", "from_user_zero", "in_user",
};

static void problem(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void problem(const char *fmt, ...)
{
	char text[RECORD_LINE_MAX];
	va_list args;

	va_start(args, fmt);
	vformat(text, sizeof(text), fmt, args);
	va_end(args);
	record_text("registry problem: %s", text);
	record_fail();
	sound = false;
}

/* ------------------------------------------------------------ words */

/* The next word of *s, at most 15 characters of it; false at the end. */
static bool next_word(const char **s, char word[16])
{
	size_t n = 0;

	while (**s == ' ')
		(*s)++;
	for (; **s && **s != ' '; (*s)++)
		if (n < 15)
			word[n++] = **s;
	word[n] = '\0';
	return n > 0;
}

static int index_of(const char *word, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word, names[i]) == 0)
			return (int)i;
	return -1;
}

/* ------------------------------------------------------------ routines */

static void read_uses(struct routine *r)
{
	static const char *const states[] = { "x87", "mmx", "xmm", "ymm", "zmm", "opmask" };
	static const uint32_t files[] = {
		FPU_FILE_X87,
		FPU_FILE_X87,
		FPU_FILE_XMM,
		FPU_FILE_XMM | FPU_FILE_YMM | FPU_FILE_ZMM,
		FPU_FILE_XMM | FPU_FILE_YMM | FPU_FILE_ZMM | FPU_FILE_ZMM_16,
		FPU_FILE_OPMASK,
	};
	const char *s = r->uses;
	char word[16];

	while (next_word(&s, word)) {
		int i = index_of(word, states, sizeof(states) / sizeof(states[0]));

		if (i < 0)
			problem("routine %s: uses \"%s\", which is no FPU state", r->name, word);
		else
			r->files |= files[i];
	}
}

static void check_needs(struct routine *r)
{
	char word[40];

	switch (features_check(identity_cpuid(), r->needs, word, sizeof(word))) {
	case NEEDS_UNKNOWN_NAME:
		problem("routine %s: needs \"%s\", which is no known feature", r->name, word);
		/* fall through */
	case NEEDS_LACKING:
		if (!r->lacks[0])
			format(r->lacks, sizeof(r->lacks), "needs %s", word);
		break;
	case NEEDS_MET:
		break;
	}
}

static bool ends_in(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && strcmp(name + n - m, end) == 0;
}

static void add_routine(const struct copy_routine_decl *d)
{
	struct routine *r = &routines[routine_count];

	if (routine_count == ROUTINES_MAX) {
		problem("more than %d routines", ROUTINES_MAX);
		return;
	}
	*r = (struct routine){
		.name = copy_rel(&d->name),
		.title = copy_rel(&d->title),
		.needs = copy_rel(&d->needs),
		.uses = copy_rel(&d->uses),
		.source = copy_rel(&d->source),
		.widths = d->widths,
		.saved = ends_in(copy_rel(&d->name), "_saved"),
	};
	declared_at[routine_count++] = d;
	if (!(r->widths & 8 * sizeof(void *)))
		format(r->lacks, sizeof(r->lacks), "needs a %u-bit kernel", r->widths);
	check_needs(r);
	read_uses(r);
	for (size_t i = 0; i + 1 < routine_count; i++)
		if (strcmp(routines[i].name, r->name) == 0)
			problem("routine %s is declared twice", r->name);
}

/* ------------------------------------------------------------ forms */

static void read_claims(struct form *f, const char *claims)
{
	unsigned grades = 0;
	char word[16];

	while (next_word(&claims, word)) {
		if (strcmp(word, "literal") == 0) {
			f->claims = GRADE_LITERAL;
			grades++;
		} else if (strcmp(word, "safe") == 0) {
			f->claims = GRADE_SAFE;
			grades++;
		} else if (strcmp(word, "nt") == 0) {
			f->nt = true;
		} else if (strcmp(word, "memmove") == 0) {
			f->memmove = true;
		} else if (strcmp(word, "csum") == 0) {
			f->csum = true;
		} else {
			problem("%s.%s: claims \"%s\", which is no grade", f->routine->name,
				f->kind_name, word);
		}
	}
	if (grades != 1)
		problem("%s.%s: claims %u grades, not one", f->routine->name, f->kind_name, grades);
}

static void check_form(const struct form *f)
{
	if (f->end <= f->entry)
		problem("%s.%s: ends before it starts", f->routine->name, f->kind_name);
	if (!f->alignment || (f->alignment & (f->alignment - 1)))
		problem("%s.%s: alignment %zu is no power of two", f->routine->name, f->kind_name,
			f->alignment);
	for (const struct form *other = forms; other < f; other++)
		if (other->routine == f->routine && other->kind == f->kind)
			problem("%s.%s is declared twice", f->routine->name, f->kind_name);
}

static const struct routine *routine_of(const struct copy_form_decl *d)
{
	for (size_t i = 0; i < routine_count; i++)
		if (declared_at[i] == copy_rel(&d->routine))
			return &routines[i];
	return NULL;
}

static void add_form(const struct copy_form_decl *d)
{
	struct form *f = &forms[form_count];
	int kind = index_of(copy_rel(&d->kind), kind_names, FORM_KINDS);

	if (form_count == FORMS_MAX) {
		problem("more than %d forms", FORMS_MAX);
		return;
	}
	*f = (struct form){
		.routine = routine_of(d),
		.kind_name = copy_rel(&d->kind),
		.kind = (enum form_kind)kind,
		.minimum = d->minimum,
		.alignment = d->alignment,
		.entry = (uintptr_t)copy_rel(&d->entry),
		.end = (uintptr_t)copy_rel(&d->end),
	};
	if (!f->routine) {
		problem("a form \"%s\" without a routine", f->kind_name);
		return;
	}
	if (kind < 0) {
		problem("routine %s: form \"%s\" is of no known kind", f->routine->name,
			f->kind_name);
		return;
	}
	read_claims(f, copy_rel(&d->claims));
	check_form(f);
	form_count++;
}

/* ------------------------------------------------------------ order */

static bool form_before(const struct form *a, const struct form *b)
{
	int names = strcmp(a->routine->name, b->routine->name);

	return names ? names < 0 : a->kind < b->kind;
}

/* The linker's order is that of files on some disk; a record's must be the same on
 * all. */
static void sort_routines(void)
{
	for (size_t i = 1; i < routine_count; i++) {
		struct routine r = routines[i];
		const struct copy_routine_decl *d = declared_at[i];
		size_t j = i;

		for (; j && strcmp(routines[j - 1].name, r.name) > 0; j--) {
			routines[j] = routines[j - 1];
			declared_at[j] = declared_at[j - 1];
		}
		routines[j] = r;
		declared_at[j] = d;
	}
}

static void sort_forms(void)
{
	for (size_t i = 1; i < form_count; i++) {
		struct form f = forms[i];
		size_t j = i;

		for (; j && form_before(&f, &forms[j - 1]); j--)
			forms[j] = forms[j - 1];
		forms[j] = f;
	}
}

/* ------------------------------------------------------------ copy=glob,glob */

static const char *chosen; /* NULL: all */

/* Does the glob of n characters match the whole of `name`? */
static bool glob_matches(const char *glob, size_t n, const char *name)
{
	for (; n; glob++, n--, name++) {
		if (*glob == '*') {
			for (; *name; name++)
				if (glob_matches(glob + 1, n - 1, name))
					return true;
			return glob_matches(glob + 1, n - 1, name);
		}
		if (!*name || (*glob != '?' && *glob != *name))
			return false;
	}
	return !*name;
}

void registry_exclude(const struct routine *routine, const char *why)
{
	struct routine *r = &routines[routine - routines];

	format(r->lacks, sizeof(r->lacks), "%s", why);
}

bool registry_chosen(const struct routine *routine)
{
	const char *rest = chosen, *glob;
	size_t length;

	if (!chosen)
		return true;
	while (option_item(&rest, &glob, &length))
		if (glob_matches(glob, length, routine->name))
			return true;
	return false;
}

bool registry_all(void)
{
	return !chosen;
}

static bool set_copy(const char *value)
{
	if (!*value)
		return false;
	chosen = value;
	return true;
}
OPTION(copy, "GLOB,GLOB", "only the copy routines with these names (* and ? match)", set_copy);

static bool is_glob_of_any(const char *glob, size_t length)
{
	for (size_t i = 0; i < routine_count; i++)
		if (glob_matches(glob, length, routines[i].name))
			return true;
	return false;
}

static void check_chosen(void)
{
	const char *rest = chosen, *glob;
	size_t length;
	bool any = false;

	while (option_item(&rest, &glob, &length)) {
		if (is_glob_of_any(glob, length))
			any = true;
		else
			record_text("option error: no routine is named \"%.*s\"; list=copies "
				    "prints them",
				    (int)length, glob);
	}
	if (!any) {
		record_text("option error: copy= names no routine, all are taken");
		chosen = NULL;
	}
}

/* ------------------------------------------------------------ start */

void registry_start(void)
{
	routine_count = form_count = 0;
	sound = true;
	for (const struct copy_routine_decl *d = __start_copy_routines; d < __stop_copy_routines;
	     d++)
		add_routine(d);
	sort_routines();
	for (const struct copy_form_decl *d = __start_copy_forms; d < __stop_copy_forms; d++)
		add_form(d);
	sort_forms();
	if (chosen)
		check_chosen();
}

bool registry_sound(void)
{
	return sound;
}

const struct form *registry_form(const char *routine, enum form_kind kind)
{
	const struct form *all;
	size_t count = registry_forms(&all);

	for (size_t i = 0; i < count; i++)
		if (all[i].kind == kind && strcmp(all[i].routine->name, routine) == 0)
			return &all[i];
	return NULL;
}

size_t registry_layouts(const struct routine *routine, uintptr_t entry[REGISTRY_LAYOUTS])
{
	size_t count = 0;

	for (const struct copy_form_decl *d = __start_copy_forms; d < __stop_copy_forms; d++)
		if (routine_of(d) == routine && strcmp(copy_rel(&d->kind), "plain") == 0)
			entry[count++] = (uintptr_t)copy_rel(&d->entry);
	for (const struct copy_layout_decl *d = __start_copy_layouts; d < __stop_copy_layouts; d++)
		if (declared_at[routine - routines] == copy_rel(&d->routine) &&
		    count < REGISTRY_LAYOUTS)
			entry[count++] = (uintptr_t)copy_rel(&d->entry);
	return count;
}

size_t registry_routines(const struct routine **list)
{
	*list = routines;
	return routine_count;
}

size_t registry_forms(const struct form **list)
{
	*list = forms;
	return form_count;
}
