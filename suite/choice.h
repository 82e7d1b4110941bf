/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of `select` (copies/select.inc): their classes, who may stand in them, and how
 * what was measured fills them. */
#ifndef SUITE_CHOICE_H
#define SUITE_CHOICE_H

#include "copies/params.h"
#include "suite/registry.h"

/* For one kind: by size class, and whether the copy counts as misaligned. */
typedef uintptr_t choice_table[COPY_SIZE_CLASSES][2];

/* The smallest n of a class, 0 for the first; and the n that stands for it, in its midst. */
size_t choice_low(unsigned class);
size_t choice_bytes(unsigned class);

/*
 * Whether a table may lead to this form. It has to take any arguments, keep the letter of
 * the contract, and leave the FPU as it was: `select` claims no less.
 */
bool choice_eligible(const struct form *form);

/* `select` and `select_csum` themselves. */
bool choice_is_select(const struct form *form);

/* Classes without an entry (0) get that of the next smaller class which has one, else of
 * the next larger. */
void choice_fill(choice_table table);

#endif
