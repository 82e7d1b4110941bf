/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The exception table: for each instruction that may fault, where to go on.
 * Entries are self-relative 32-bit pairs in section "extable".
 */
#ifndef LIB_EXTABLE_H
#define LIB_EXTABLE_H

#include <stddef.h>
#include <stdint.h>

struct extable_entry {
	int32_t insn;  /* relative to this field */
	int32_t fixup; /* relative to this field */
};

extern struct extable_entry __start_extable[], __stop_extable[];

/* For C with inline assembly: EXTABLE("1b", "2b") after the instruction. */
#define EXTABLE(insn, fixup)                                                                       \
	".pushsection extable, \"a\", @progbits\n\t"                                               \
	".balign 4\n\t"                                                                            \
	".long " insn " - .\n\t"                                                                   \
	".long " fixup " - .\n\t"                                                                  \
	".popsection\n\t"

static inline uintptr_t extable_insn(const struct extable_entry *e)
{
	return (uintptr_t)&e->insn + (uintptr_t)(intptr_t)e->insn;
}

static inline uintptr_t extable_fixup(const struct extable_entry *e)
{
	return (uintptr_t)&e->fixup + (uintptr_t)(intptr_t)e->fixup;
}

enum extable_fault { EXTABLE_OK, EXTABLE_DUPLICATE, EXTABLE_STRANGER };

/*
 * Writes the n entries, as absolute addresses in ascending order, to `sorted`,
 * and checks them: two entries for one instruction, or an instruction or fixup for
 * which in_code() is false, are refused. On refusal *bad is the entry at fault.
 */
struct extable_sorted {
	uintptr_t insn;
	uintptr_t fixup;
};

enum extable_fault extable_build(const struct extable_entry *entries, size_t n,
				 struct extable_sorted *sorted, int (*in_code)(uintptr_t),
				 uintptr_t *bad);

/* The fixup of the instruction at ip, or 0 where there is none. */
uintptr_t extable_find(const struct extable_sorted *sorted, size_t n, uintptr_t ip);

#endif
