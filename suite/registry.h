/* SPDX-License-Identifier: BSD-2-Clause */
/* Copy routines as the suite sees them: names instead of offsets, and for each
 * whether this CPU can run it. */
#ifndef SUITE_REGISTRY_H
#define SUITE_REGISTRY_H

#include "copies/copy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum grade { GRADE_SAFE, GRADE_LITERAL };

struct routine {
	const char *name, *title, *needs, *uses, *source;
	uint32_t widths;
	uint32_t files; /* enum fpu_file: the registers that `uses` names */
	bool saved;     /* one of copy.inc's NAME_saved */
	char lacks[48]; /* why this CPU or kernel cannot run it ("needs avx512f"); empty if it can
			 */
};

struct form {
	const struct routine *routine;
	const char *kind_name;
	enum form_kind kind;
	enum grade claims;
	bool nt;      /* nothing of the destination stays in the cache */
	bool memmove; /* the areas may overlap in any way */
	bool csum;    /* the second result is the Internet checksum of what was copied (csum.inc) */
	size_t minimum, alignment;
	uintptr_t entry, end;
};

/* Reads the linker sections, sorted by routine name and kind; a declaration that
 * makes no sense (unknown kind, claim, feature or state; two of one name) is a
 * problem that the record reports and that fails the run. */
void registry_start(void);

/* No problem was found. */
bool registry_sound(void);

size_t registry_routines(const struct routine **routines);
size_t registry_forms(const struct form **forms);

/* The routine's form of that kind; NULL where there is none. */
const struct form *registry_form(const char *routine, enum form_kind kind);

/* The places where the routine's plain form stands: on a 64-byte boundary and 16, 32
 * and 48 bytes after one. How many there are: 0 where it has no plain form. */
#define REGISTRY_LAYOUTS 4
size_t registry_layouts(const struct routine *routine, uintptr_t entry[REGISTRY_LAYOUTS]);

/* copy=glob,glob: whether the run asked for this routine. `*` and `?` match as in
 * a shell. */
bool registry_chosen(const struct routine *routine);
/* There was no copy=. */
bool registry_all(void);

/* From here on the routine counts as one that cannot be run: `why` becomes its `lacks`. */
void registry_exclude(const struct routine *routine, const char *why);

static inline bool form_source_is_user(const struct form *f)
{
	return f->kind == FORM_FROM_USER || f->kind == FORM_FROM_USER_ZERO ||
	       f->kind == FORM_IN_USER;
}

static inline bool form_destination_is_user(const struct form *f)
{
	return f->kind == FORM_TO_USER || f->kind == FORM_IN_USER;
}

#endif
