/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/cpu.h"

#include "lib/format.h"
#include "lib/string.h"
#include "suite/cpu_caches.h"

#define FEATURE_HTT        (1u << 28) /* leaf 1, EDX */
#define FEATURE_HYPERVISOR (1u << 31) /* leaf 1, ECX */

/* ------------------------------------------------------------ names */

/* The registers' bytes as text without spaces at either end and no two in a row. */
static void tidy_text(char *to, size_t size, const uint32_t *words, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count * 4; i++) {
		char c = (char)(words[i / 4] >> i % 4 * 8);

		if (!c)
			break;
		if (c < ' ' || c > '~')
			c = '?';
		if (n + 1 < size && (c != ' ' || (n && to[n - 1] != ' ')))
			to[n++] = c;
	}
	while (n && to[n - 1] == ' ')
		n--;
	to[n] = '\0';
}

static void read_vendor(const struct cpuid_source *source, struct cpu *cpu)
{
	struct cpuid_regs r = cpuid_leaf(source, 0, 0);
	uint32_t words[] = { r.ebx, r.edx, r.ecx };

	tidy_text(cpu->vendor, sizeof(cpu->vendor), words, 3);
}

static void read_brand(const struct cpuid_source *source, struct cpu *cpu)
{
	uint32_t words[12];

	for (uint32_t i = 0; i < 3; i++) {
		struct cpuid_regs r = cpuid_leaf(source, 0x80000002 + i, 0);

		words[i * 4] = r.eax;
		words[i * 4 + 1] = r.ebx;
		words[i * 4 + 2] = r.ecx;
		words[i * 4 + 3] = r.edx;
	}
	tidy_text(cpu->brand, sizeof(cpu->brand), words, 12);
}

/* SDM volume 2, CPUID, figure 3-6: the extended fields count for families 6 and 15. */
static void read_signature(const struct cpuid_source *source, struct cpu *cpu)
{
	uint32_t eax = cpuid_leaf(source, 1, 0).eax;

	cpu->stepping = eax & 15;
	cpu->model = eax >> 4 & 15;
	cpu->family = eax >> 8 & 15;
	if (cpu->family == 6 || cpu->family == 15)
		cpu->model |= (eax >> 16 & 15) << 4;
	if (cpu->family == 15)
		cpu->family += eax >> 20 & 255;
}

static void read_hypervisor(const struct cpuid_source *source, struct cpu *cpu)
{
	struct cpuid_regs r;

	cpu->hypervisor = cpuid_leaf(source, 1, 0).ecx & FEATURE_HYPERVISOR;
	if (cpu->hypervisor) {
		r = cpuid_leaf(source, 0x40000000, 0);
		tidy_text(cpu->hypervisor_name, sizeof(cpu->hypervisor_name),
			  (uint32_t[]){ r.ebx, r.ecx, r.edx }, 3);
	}
}

/* ------------------------------------------------------------ threads */

/* Leaf 0Bh or 1Fh: each subleaf tells how many threads the next higher level shares. */
static bool read_levels(const struct cpuid_source *source, uint32_t leaf, struct cpu *cpu)
{
	bool any = false;

	for (uint32_t i = 0; i < 8; i++) {
		struct cpuid_regs r = cpuid_leaf(source, leaf, i);
		uint32_t type = r.ecx >> 8 & 255, threads = r.ebx & 0xffff;

		if (!type || !threads)
			break;
		if (type == 1)
			cpu->threads_per_core = threads;
		cpu->threads_per_package = threads;
		any = true;
	}
	return any;
}

static bool is_amd(const struct cpu *cpu)
{
	return strcmp(cpu->vendor, "AuthenticAMD") == 0 || strcmp(cpu->vendor, "HygonGenuine") == 0;
}

static void read_threads(const struct cpuid_source *source, struct cpu *cpu)
{
	struct cpuid_regs one = cpuid_leaf(source, 1, 0);

	cpu->threads_per_core = cpu->threads_per_package = 1;
	if (read_levels(source, 0x1f, cpu) || read_levels(source, 0xb, cpu))
		return;
	if (!(one.edx & FEATURE_HTT))
		return;
	cpu->threads_per_package = one.ebx >> 16 & 255;
	if (is_amd(cpu)) {
		if (cpuid_leaf(source, 0x80000008, 0).ecx & 255)
			cpu->threads_per_package =
				(cpuid_leaf(source, 0x80000008, 0).ecx & 255) + 1;
		cpu->threads_per_core = (cpuid_leaf(source, 0x8000001e, 0).ebx >> 8 & 255) + 1;
	} else {
		/* Leaf 4 tells how many core numbers a package has; without it, all are threads of
		 * one core. */
		cpu->threads_per_core =
			cpu->threads_per_package / ((cpuid_leaf(source, 4, 0).eax >> 26) + 1);
	}
	if (!cpu->threads_per_package)
		cpu->threads_per_package = 1;
	if (!cpu->threads_per_core || cpu->threads_per_core > cpu->threads_per_package)
		cpu->threads_per_core = 1;
}

/* ------------------------------------------------------------ all of it */

void cpu_identify(const struct cpuid_source *source, struct cpu *cpu)
{
	memset(cpu, 0, sizeof(*cpu));
	read_vendor(source, cpu);
	read_brand(source, cpu);
	read_signature(source, cpu);
	read_hypervisor(source, cpu);
	read_threads(source, cpu);
	cpu_caches(source, is_amd(cpu), cpu);
}

enum timing_kind cpu_timing(const struct cpu *cpu, const struct machine_identity *identity)
{
	if (identity->hosted)
		return TIMING_HOSTED;
	if (identity->emulator || strcmp(cpu->hypervisor_name, "TCGTCGTCGTCG") == 0)
		return TIMING_EMULATED;
	return cpu->hypervisor ? TIMING_VIRTUAL : TIMING_HARDWARE;
}

static void ways_text(char *to, size_t size, uint32_t ways)
{
	if (ways == WAYS_FULL)
		format(to, size, "full");
	else if (ways)
		format(to, size, "%u", ways);
	else
		format(to, size, "?");
}

struct cpu_text cpu_cache_text(const struct cpu_cache *cache)
{
	struct cpu_text out = { "n/a" };
	char ways[12];

	ways_text(ways, sizeof(ways), cache->ways);
	if (cache->bytes)
		format(out.text, sizeof(out.text), "%llu/%s/%u", (unsigned long long)cache->bytes,
		       ways, cache->line);
	return out;
}

struct cpu_text cpu_tlb_text(const struct cpu_tlb *tlb)
{
	struct cpu_text out = { "n/a" };
	char ways[12];

	ways_text(ways, sizeof(ways), tlb->ways);
	if (tlb->entries)
		format(out.text, sizeof(out.text), "%u/%s", tlb->entries, ways);
	return out;
}
