/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How the small world's kernel reaches its program's memory: each copy is checked
 * against the user's half of the address space first, and hardened against a
 * speculated pass of that check as the option harden= says.
 */
#ifndef SUITE_WORLD_ACCESS_H
#define SUITE_WORLD_ACCESS_H

#include "copies/copy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The copy under test. */
struct user_copy {
	copy_function *to_user, *from_user;
};

/* Whether [address, address + n) is the user's. False leaves *address alone; true may
 * mask it. */
bool access_ok(uintptr_t *address, size_t n);

/* Both return what could not be copied: n where the range is refused. */
size_t copy_out(const struct user_copy *copy, uintptr_t to, const void *from, size_t n);
size_t copy_in(const struct user_copy *copy, void *to, uintptr_t from, size_t n);

/* Before the first copy: gives up on what the CPU cannot do, and says so. */
void access_start(const char *experiment);

/* What harden= makes of it: "off", "lfence" or "mask". */
const char *access_hardening(void);

#endif
