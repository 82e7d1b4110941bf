/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/cpu_caches.h"

#define FEATURE_TOPOEXT (1u << 22) /* leaf 80000001h, ECX */
#define L2_TLB_IN_32S   (1u << 14) /* leaf 80000021h, EAX: Zen 5's sizes are too large else */

#define KIB 1024u
#define MIB (1024u * KIB)

/* ------------------------------------------------------------ sanity */

/* Emulators and some CPUs report nonsense, and thresholds made of it do harm. These
 * limits lie well above the largest known. */
static const uint64_t most_bytes[] = { 0, MIB, 64 * MIB, 2048ull * MIB };

static void set_cache(struct cpu *cpu, unsigned level, uint64_t bytes, uint32_t ways, uint32_t line)
{
	struct cpu_cache *cache = level == 1 ? &cpu->l1d : level == 2 ? &cpu->l2 : &cpu->l3;

	if (level < 1 || level > 3 || bytes < KIB || bytes > most_bytes[level])
		return;
	if (line < 16 || line > 256 || (line & (line - 1)))
		return;
	if (ways > 256 && ways != WAYS_FULL)
		ways = 0;
	/* Two of a level are two sorts of core, or a cache that a descriptor counts anew. */
	if (cache->bytes < bytes)
		*cache = (struct cpu_cache){ bytes, ways, line };
}

static void set_tlb(struct cpu_tlb *tlb, uint32_t entries, uint32_t ways)
{
	if (!entries || entries > 65536)
		return;
	if (ways > 256 && ways != WAYS_FULL)
		ways = 0;
	if (tlb->entries < entries)
		*tlb = (struct cpu_tlb){ entries, ways };
}

/* ------------------------------------------------------------ leaves 4 and 8000001Dh */

static void deterministic_caches(const struct cpuid_source *source, uint32_t leaf, struct cpu *cpu)
{
	for (uint32_t i = 0; i < 16; i++) {
		struct cpuid_regs r = cpuid_leaf(source, leaf, i);
		uint32_t type = r.eax & 31;
		uint64_t line = (r.ebx & 0xfff) + 1, parts = (r.ebx >> 12 & 0x3ff) + 1;
		uint64_t ways = (r.ebx >> 22) + 1, sets = (uint64_t)r.ecx + 1;
		bool full = r.eax >> 9 & 1;

		if (!type)
			break;
		/* 1 is data, 3 unified. At most 2^12 * 2^10 * 2^10 * 2^27: no overflow. */
		if ((type == 1 || type == 3) && sets <= 1u << 27)
			set_cache(cpu, r.eax >> 5 & 7, line * parts * ways * sets,
				  full ? WAYS_FULL : (uint32_t)ways, (uint32_t)line);
	}
}

/* ------------------------------------------------------------ leaf 18h */

static void deterministic_tlbs(const struct cpuid_source *source, struct cpu *cpu)
{
	uint32_t last = cpuid_leaf(source, 0x18, 0).eax;

	for (uint32_t i = 0; i <= last && i < 32; i++) {
		struct cpuid_regs r = cpuid_leaf(source, 0x18, i);
		uint32_t type = r.edx & 31, level = r.edx >> 5 & 7, ways = r.ebx >> 16;

		/* 1 data, 3 unified, 4 loads only, 5 stores only; EBX bit 0: 4 KiB pages */
		if ((type != 1 && type < 3) || !(r.ebx & 1) || level < 1 || level > 2)
			continue;
		/* two arrays of level 2 (Alder Lake) hold 4 KiB pages side by side */
		set_tlb(level == 1 ? &cpu->dtlb : &cpu->stlb,
			ways * r.ecx + (level == 2 ? cpu->stlb.entries : 0),
			r.edx >> 8 & 1 ? WAYS_FULL : ways);
	}
}

/* ------------------------------------------------------------ leaf 2 */

enum { L1D = 1, L2, L3, DTLB, STLB };

/* SDM volume 2, CPUID, table 3-12; its "DTLB1" is the second level, behind a small
 * DTLB0. `size`: KiB of a cache, entries of a TLB. */
static const struct descriptor {
	uint8_t code, what, line;
	uint16_t ways;
	uint16_t size;
} descriptors[] = {
	{ 0x03, DTLB, 0, 4, 64 },         { 0x0a, L1D, 32, 2, 8 },     { 0x0c, L1D, 32, 4, 16 },
	{ 0x0d, L1D, 64, 4, 16 },         { 0x0e, L1D, 64, 6, 24 },    { 0x21, L2, 64, 8, 256 },
	{ 0x22, L3, 64, 4, 512 },         { 0x23, L3, 64, 8, 1024 },   { 0x24, L2, 64, 16, 1024 },
	{ 0x25, L3, 64, 8, 2048 },        { 0x29, L3, 64, 8, 4096 },   { 0x2c, L1D, 64, 8, 32 },
	{ 0x39, L2, 64, 4, 128 },         { 0x3a, L2, 64, 6, 192 },    { 0x3b, L2, 64, 2, 128 },
	{ 0x3c, L2, 64, 4, 256 },         { 0x3d, L2, 64, 6, 384 },    { 0x3e, L2, 64, 4, 512 },
	{ 0x41, L2, 32, 4, 128 },         { 0x42, L2, 32, 4, 256 },    { 0x43, L2, 32, 4, 512 },
	{ 0x44, L2, 32, 4, 1024 },        { 0x45, L2, 32, 4, 2048 },   { 0x46, L3, 64, 4, 4096 },
	{ 0x47, L3, 64, 8, 8192 },        { 0x48, L2, 64, 12, 3072 },  { 0x49, L2, 64, 16, 4096 },
	{ 0x4a, L3, 64, 12, 6144 },       { 0x4b, L3, 64, 16, 8192 },  { 0x4c, L3, 64, 12, 12288 },
	{ 0x4d, L3, 64, 16, 16384 },      { 0x4e, L2, 64, 24, 6144 },  { 0x57, DTLB, 0, 4, 16 },
	{ 0x59, DTLB, 0, WAYS_FULL, 16 }, { 0x5b, DTLB, 0, 0, 64 },    { 0x5c, DTLB, 0, 0, 128 },
	{ 0x5d, DTLB, 0, 0, 256 },        { 0x60, L1D, 64, 8, 16 },    { 0x64, DTLB, 0, 4, 512 },
	{ 0x66, L1D, 64, 4, 8 },          { 0x67, L1D, 64, 4, 16 },    { 0x68, L1D, 64, 4, 32 },
	{ 0x6b, DTLB, 0, 8, 256 },        { 0x78, L2, 64, 4, 1024 },   { 0x79, L2, 64, 8, 128 },
	{ 0x7a, L2, 64, 8, 256 },         { 0x7b, L2, 64, 8, 512 },    { 0x7c, L2, 64, 8, 1024 },
	{ 0x7d, L2, 64, 8, 2048 },        { 0x7f, L2, 64, 2, 512 },    { 0x80, L2, 64, 8, 512 },
	{ 0x82, L2, 32, 8, 256 },         { 0x83, L2, 32, 8, 512 },    { 0x84, L2, 32, 8, 1024 },
	{ 0x85, L2, 32, 8, 2048 },        { 0x86, L2, 64, 4, 512 },    { 0x87, L2, 64, 8, 1024 },
	{ 0xa0, DTLB, 0, WAYS_FULL, 32 }, { 0xb3, DTLB, 0, 4, 128 },   { 0xb4, STLB, 0, 4, 256 },
	{ 0xba, STLB, 0, 4, 64 },         { 0xc0, DTLB, 0, 4, 8 },     { 0xc1, STLB, 0, 8, 1024 },
	{ 0xc2, DTLB, 0, 4, 16 },         { 0xc3, STLB, 0, 6, 1536 },  { 0xca, STLB, 0, 4, 512 },
	{ 0xd0, L3, 64, 4, 512 },         { 0xd1, L3, 64, 4, 1024 },   { 0xd2, L3, 64, 4, 2048 },
	{ 0xd6, L3, 64, 8, 1024 },        { 0xd7, L3, 64, 8, 2048 },   { 0xd8, L3, 64, 8, 4096 },
	{ 0xdc, L3, 64, 12, 1536 },       { 0xdd, L3, 64, 12, 3072 },  { 0xde, L3, 64, 12, 6144 },
	{ 0xe2, L3, 64, 16, 2048 },       { 0xe3, L3, 64, 16, 4096 },  { 0xe4, L3, 64, 16, 8192 },
	{ 0xea, L3, 64, 24, 12288 },      { 0xeb, L3, 64, 24, 18432 }, { 0xec, L3, 64, 24, 24576 },
};

/* `caches`, `tlbs`: what is still to be found; where a leaf that tells more has spoken
 * the descriptors are not asked. */
static void apply_descriptor(struct cpu *cpu, uint8_t code, bool caches, bool tlbs)
{
	for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]); i++) {
		const struct descriptor *d = &descriptors[i];
		unsigned what = d->what;

		if (d->code != code)
			continue;
		/* One code for two things: level 3 on the Xeon MP of family 15, model 6. */
		if (code == 0x49 && cpu->family == 15 && cpu->model == 6)
			what = L3;
		if (what <= L3 && caches)
			set_cache(cpu, what, (uint64_t)d->size * KIB, d->ways, d->line);
		else if (what == DTLB && tlbs)
			set_tlb(&cpu->dtlb, d->size, d->ways);
		else if (what == STLB && tlbs)
			set_tlb(&cpu->stlb, d->size, d->ways);
		return;
	}
}

static void descriptor_leaf(const struct cpuid_source *source, struct cpu *cpu, bool caches,
			    bool tlbs)
{
	struct cpuid_regs r = cpuid_leaf(source, 2, 0);
	uint32_t words[4];

	/* The low byte of EAX says how often the leaf must be read. It is 1 on every CPU that
	 * has the leaf, and no descriptor. */
	words[0] = r.eax & ~0xffu;
	words[1] = r.ebx;
	words[2] = r.ecx;
	words[3] = r.edx;
	for (unsigned i = 0; i < 16; i++)
		if (!(words[i / 4] >> 31)) /* bit 31 set: the register holds no descriptors */
			apply_descriptor(cpu, (uint8_t)(words[i / 4] >> i % 4 * 8), caches, tlbs);
}

/* ------------------------------------------------------------ 80000005h, 80000006h */

/* APM volume 3, appendix E.4: associativity of level 2 and 3, and of their TLBs. */
static uint32_t amd_ways(uint32_t code)
{
	static const uint16_t ways[16] = { 0,  1, 2,  3,  4,  6,  8,   0,
					   16, 0, 32, 48, 64, 96, 128, WAYS_FULL };

	return ways[code & 15];
}

static uint32_t amd_l1_ways(uint32_t code)
{
	return code == 255 ? WAYS_FULL : code;
}

static void amd_caches(const struct cpuid_source *source, struct cpu *cpu)
{
	struct cpuid_regs five = cpuid_leaf(source, 0x80000005, 0);
	struct cpuid_regs six = cpuid_leaf(source, 0x80000006, 0);

	set_cache(cpu, 1, (uint64_t)(five.ecx >> 24) * KIB, amd_l1_ways(five.ecx >> 16 & 255),
		  five.ecx & 255);
	if (six.ecx >> 12 & 15)
		set_cache(cpu, 2, (uint64_t)(six.ecx >> 16) * KIB, amd_ways(six.ecx >> 12),
			  six.ecx & 255);
	if (six.edx >> 12 & 15)
		set_cache(cpu, 3, (uint64_t)(six.edx >> 18) * 512 * KIB, amd_ways(six.edx >> 12),
			  six.edx & 255);
}

static void amd_tlbs(const struct cpuid_source *source, struct cpu *cpu)
{
	struct cpuid_regs five = cpuid_leaf(source, 0x80000005, 0);
	struct cpuid_regs six = cpuid_leaf(source, 0x80000006, 0);

	uint32_t unit = cpuid_leaf(source, 0x80000021, 0).eax & L2_TLB_IN_32S ? 32 : 1;

	set_tlb(&cpu->dtlb, five.ebx >> 16 & 255, amd_l1_ways(five.ebx >> 24));
	if (six.ebx >> 28)
		set_tlb(&cpu->stlb, (six.ebx >> 16 & 0xfff) * unit, amd_ways(six.ebx >> 28));
}

/* ------------------------------------------------------------ in their order */

void cpu_caches(const struct cpuid_source *source, bool amd, struct cpu *cpu)
{
	if (amd && cpuid_leaf(source, 0x80000001, 0).ecx & FEATURE_TOPOEXT)
		deterministic_caches(source, 0x8000001d, cpu);
	if (!amd) {
		deterministic_caches(source, 4, cpu);
		deterministic_tlbs(source, cpu);
		descriptor_leaf(source, cpu, !cpu->l1d.bytes, !cpu->dtlb.entries);
	}
	if (!cpu->l1d.bytes)
		amd_caches(source, cpu);
	if (!cpu->dtlb.entries)
		amd_tlbs(source, cpu);
}
