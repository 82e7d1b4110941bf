/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What copy.inc emits, as C sees it. Everything is 32-bit and self-relative, so
 * that one object serves kernels at fixed addresses and a position-independent
 * program. suite/registry.c turns it into something comfortable; nothing else
 * should read these.
 */
#ifndef COPIES_COPY_H
#define COPIES_COPY_H

#include <stddef.h>
#include <stdint.h>

/* Which side is user memory (copy.inc). */
enum form_kind {
	FORM_PLAIN,
	FORM_TO_USER,
	FORM_FROM_USER,
	FORM_FROM_USER_ZERO,
	FORM_IN_USER,
	FORM_KINDS
};

/* to, from, n -> residue: the number of bytes not copied */
typedef size_t copy_function(void *to, const void *from, size_t n);

struct copy_routine_decl {
	int32_t name;
	int32_t title;
	int32_t needs;   /* CPU features: words are ANDed, a|b is either; suite/features.c knows the
			    names */
	int32_t uses;    /* FPU state that the body changes: of "x87 mmx xmm ymm zmm opmask" */
	uint32_t widths; /* 32, 64 or 32 | 64 */
	int32_t source;  /* where the idea comes from */
};

struct copy_form_decl {
	int32_t routine;
	int32_t entry;
	int32_t end;        /* first byte after the code */
	int32_t kind;       /* "plain", "to_user", "from_user", "from_user_zero", "in_user" */
	int32_t claims;     /* "literal" or "safe", and what else holds: "nt", nothing of the
			       destination stays in the cache; "memmove", the areas may overlap;
			       "csum", the second result is a checksum (csum.inc) */
	uint32_t minimum;   /* smallest n that the caller may pass */
	uint32_t alignment; /* of to, from and n, that the caller must keep to */
};

/* The plain form once more, `shift` bytes after a 64-byte boundary instead of on it. */
struct copy_layout_decl {
	int32_t routine;
	int32_t entry;
	uint32_t shift;
};

_Static_assert(sizeof(struct copy_routine_decl) == 24, "copy.inc emits 6 words a routine");
_Static_assert(sizeof(struct copy_form_decl) == 28, "copy.inc emits 7 words a form");
_Static_assert(sizeof(struct copy_layout_decl) == 12, "copy.inc emits 3 words a layout");

extern const struct copy_routine_decl __start_copy_routines[], __stop_copy_routines[];
extern const struct copy_form_decl __start_copy_forms[], __stop_copy_forms[];
extern const struct copy_layout_decl __start_copy_layouts[], __stop_copy_layouts[];

static inline const void *copy_rel(const int32_t *field)
{
	return (const char *)field + *field;
}

#endif
