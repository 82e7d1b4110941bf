/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forms that claim "nt" promise that nothing of the destination stays in the cache, its
 * unaligned head and tail included. What a load of each line costs after the copy shows
 * it; an emulator cannot.
 */
#ifndef SUITE_CONTRACT_CACHED_H
#define SUITE_CONTRACT_CACHED_H

#include "suite/contract/arena.h"

/* Whether this machine's load times tell memory from cache; if not, why. Asked once. */
bool cached_can_be_shown(struct arena *arena, const char **why);

/* A case of the form after which a line of the destination was still in the cache in most
 * of several tries, and the line's offset in the destination; false where there is none. */
bool cached_find(struct arena *arena, const struct form *form, struct contract_case *c,
		 size_t *offset);

#endif
