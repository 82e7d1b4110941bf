/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/features.h"

#include "lib/format.h"
#include "lib/string.h"

enum cpuid_register { EAX, EBX, ECX, EDX };

/* State that the system must have turned on (SDM volume 1, 13.3), as XCR0 bits. */
enum {
	STATE_X87 = 1 << 0,
	STATE_SSE = 1 << 1,
	STATE_AVX = STATE_SSE | 1 << 2,
	STATE_AVX512 = STATE_AVX | 7 << 5
};

static const struct feature {
	const char *name;
	uint32_t leaf;
	uint8_t subleaf;
	uint8_t reg; /* enum cpuid_register */
	uint8_t bit;
	uint8_t xcr0;
} features[] = {
	/* SDM volume 2, CPUID, leaf 1 */
	{ "fpu", 1, 0, EDX, 0, STATE_X87 },
	{ "cx8", 1, 0, EDX, 8, 0 },
	{ "cmov", 1, 0, EDX, 15, 0 },
	{ "clflush", 1, 0, EDX, 19, 0 },
	{ "mmx", 1, 0, EDX, 23, STATE_X87 },
	{ "fxsr", 1, 0, EDX, 24, 0 },
	{ "sse", 1, 0, EDX, 25, STATE_SSE },
	{ "sse2", 1, 0, EDX, 26, STATE_SSE },
	{ "sse3", 1, 0, ECX, 0, STATE_SSE },
	{ "ssse3", 1, 0, ECX, 9, STATE_SSE },
	{ "cx16", 1, 0, ECX, 13, 0 },
	{ "sse4_1", 1, 0, ECX, 19, STATE_SSE },
	{ "sse4_2", 1, 0, ECX, 20, STATE_SSE },
	{ "movbe", 1, 0, ECX, 22, 0 },
	{ "popcnt", 1, 0, ECX, 23, 0 },
	{ "xsave", 1, 0, ECX, 26, 0 },
	{ "avx", 1, 0, ECX, 28, STATE_AVX },
	/* leaf 7 */
	{ "bmi1", 7, 0, EBX, 3, 0 },
	{ "avx2", 7, 0, EBX, 5, STATE_AVX },
	{ "smep", 7, 0, EBX, 7, 0 },
	{ "bmi2", 7, 0, EBX, 8, 0 },
	{ "erms", 7, 0, EBX, 9, 0 },
	{ "avx512f", 7, 0, EBX, 16, STATE_AVX512 },
	{ "avx512dq", 7, 0, EBX, 17, STATE_AVX512 },
	{ "adx", 7, 0, EBX, 19, 0 },
	{ "smap", 7, 0, EBX, 20, 0 },
	{ "clflushopt", 7, 0, EBX, 23, 0 },
	{ "clwb", 7, 0, EBX, 24, 0 },
	{ "avx512bw", 7, 0, EBX, 30, STATE_AVX512 },
	{ "avx512vl", 7, 0, EBX, 31, STATE_AVX512 },
	{ "cldemote", 7, 0, ECX, 25, 0 },
	{ "movdiri", 7, 0, ECX, 27, 0 },
	{ "movdir64b", 7, 0, ECX, 28, 0 },
	{ "fsrm", 7, 0, EDX, 4, 0 },
	{ "fzrm", 7, 1, EAX, 10, 0 },
	{ "fsrs", 7, 1, EAX, 11, 0 },
	{ "fsrc", 7, 1, EAX, 12, 0 },
	/* leaf 0Dh, subleaf 1 */
	{ "xsaveopt", 0xd, 1, EAX, 0, 0 },
	{ "xsavec", 0xd, 1, EAX, 1, 0 },
	/* APM volume 3, appendix E, 80000001h and 80000008h */
	{ "prefetchw", 0x80000001, 0, ECX, 8, 0 },
	{ "nx", 0x80000001, 0, EDX, 20, 0 },
	{ "mmxext", 0x80000001, 0, EDX, 22, STATE_X87 },
	{ "lm", 0x80000001, 0, EDX, 29, 0 },
	{ "3dnowext", 0x80000001, 0, EDX, 30, STATE_X87 },
	{ "3dnow", 0x80000001, 0, EDX, 31, STATE_X87 },
	{ "clzero", 0x80000008, 0, EBX, 0, 0 },
};

struct cpuid_regs cpuid_leaf(const struct cpuid_source *cpu, uint32_t leaf, uint32_t subleaf)
{
	static const struct cpuid_regs nothing;
	uint32_t base = leaf & 0xc0000000;
	uint32_t most = cpu->read(cpu->context, base, 0).eax;

	/* The hypervisor's range has its own maximum, but no rule that it tell one. */
	if (base != 0x40000000 && (most < leaf || (most & 0xc0000000) != base))
		return nothing;
	return cpu->read(cpu->context, leaf, subleaf);
}

static bool has(const struct cpuid_source *cpu, const struct feature *f)
{
	struct cpuid_regs r;
	uint32_t value;

	/* Leaf 7 tells how many subleaves it has; what lies above them is another leaf's. */
	if (f->leaf == 7 && f->subleaf > cpuid_leaf(cpu, 7, 0).eax)
		return false;
	r = cpuid_leaf(cpu, f->leaf, f->subleaf);
	value = f->reg == EAX ? r.eax : f->reg == EBX ? r.ebx : f->reg == ECX ? r.ecx : r.edx;
	return value >> f->bit & 1 && (cpu->xcr0 & f->xcr0) == f->xcr0;
}

static const struct feature *find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (strlen(features[i].name) == length &&
		    strncmp(features[i].name, name, length) == 0)
			return &features[i];
	return NULL;
}

static size_t span(const char *s, char end, char other_end)
{
	size_t n = 0;

	while (s[n] && s[n] != end && s[n] != other_end)
		n++;
	return n;
}

/* One word of `needs`, "a|b|c": *bad is the first name that no feature has, or NULL. */
static bool any_of(const struct cpuid_source *cpu, const char *names, const char **bad)
{
	bool found = false;

	*bad = NULL;
	for (;; names++) {
		size_t n = span(names, '|', ' ');
		const struct feature *f = find(names, n);

		if (!f && !*bad)
			*bad = names;
		found |= f && has(cpu, f);
		names += n;
		if (*names != '|')
			return found;
	}
}

enum needs_verdict features_check(const struct cpuid_source *cpu, const char *needs, char *word,
				  size_t size)
{
	enum needs_verdict verdict = NEEDS_MET;
	const char *bad;

	word[0] = '\0';
	while (*needs) {
		size_t n = span(needs, ' ', ' ');

		if (n && !any_of(cpu, needs, &bad)) {
			if (verdict == NEEDS_MET)
				format(word, size, "%.*s", (int)n, needs);
			verdict = NEEDS_LACKING;
		}
		if (n && bad) {
			format(word, size, "%.*s", (int)span(bad, '|', ' '), bad);
			return NEEDS_UNKNOWN_NAME;
		}
		needs += n;
		if (*needs)
			needs++;
	}
	return verdict;
}
