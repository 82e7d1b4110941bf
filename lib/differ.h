/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing memory, many times over: what the contract suite spends most of its time on. */
#ifndef LIB_DIFFER_H
#define LIB_DIFFER_H

#include <stddef.h>

/* The index of the first of n bytes that differs, or n. */
size_t first_difference(const void *a, const void *b, size_t n);

#endif
