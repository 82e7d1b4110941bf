/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/extable.h"

/* Shell's sort: no recursion, no memory, and fast enough for some thousands. */
static void sort(struct extable_sorted *a, size_t n)
{
	for (size_t gap = n / 2; gap; gap /= 2) {
		for (size_t i = gap; i < n; i++) {
			struct extable_sorted moving = a[i];
			size_t j = i;

			for (; j >= gap && a[j - gap].insn > moving.insn; j -= gap)
				a[j] = a[j - gap];
			a[j] = moving;
		}
	}
}

enum extable_fault extable_build(const struct extable_entry *entries, size_t n,
				 struct extable_sorted *sorted, int (*in_code)(uintptr_t),
				 uintptr_t *bad)
{
	for (size_t i = 0; i < n; i++) {
		struct extable_sorted e = { extable_insn(&entries[i]), extable_fixup(&entries[i]) };

		sorted[i] = e;
		if (!in_code(e.insn) || !in_code(e.fixup)) {
			*bad = e.insn;
			return EXTABLE_STRANGER;
		}
	}
	sort(sorted, n);
	for (size_t i = 1; i < n; i++) {
		if (sorted[i].insn == sorted[i - 1].insn) {
			*bad = sorted[i].insn;
			return EXTABLE_DUPLICATE;
		}
	}
	return EXTABLE_OK;
}

uintptr_t extable_find(const struct extable_sorted *sorted, size_t n, uintptr_t ip)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (sorted[middle].insn == ip)
			return sorted[middle].fixup;
		if (sorted[middle].insn < ip)
			low = middle + 1;
		else
			n = middle;
	}
	return 0;
}
