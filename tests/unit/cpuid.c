/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/cpuid.h"

#include "lib/frequency.h"
#include "suite/cpu.h"
#include "tests/unit/test.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ the files */

static bool load_row(const char *line, struct cpuid_table *t)
{
	struct cpuid_regs *r = &t->row[t->rows].regs;

	if (t->rows == CPUID_ROWS_MAX)
		return false;
	return sscanf(line,
		      "%8" SCNx32 ".%" SCNu32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32,
		      &t->row[t->rows].leaf, &t->row[t->rows].subleaf, &r->eax, &r->ebx, &r->ecx,
		      &r->edx) == 6 &&
	       ++t->rows;
}

static bool load_fact(const char *line, struct cpuid_table *t)
{
	const char *colon = strstr(line, ": ");

	if (!colon || t->facts == CPUID_FACTS_MAX || colon - line >= 16)
		return false;
	if (strncmp(line, "xcr0: ", 6) == 0)
		return sscanf(colon + 2, "%" SCNx64, &t->xcr0) == 1;
	snprintf(t->fact[t->facts].key, 16, "%.*s", (int)(colon - line), line);
	snprintf(t->fact[t->facts++].value, 160, "%s", colon + 2);
	return true;
}

void cpuid_table_load(const char *path, struct cpuid_table *t)
{
	char line[256];
	unsigned number = 0;
	FILE *file = fopen(path, "r");

	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "%s", strrchr(path, '/') + 1);
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		number++;
		if (!*line || *line == '#' || load_row(line, t) || load_fact(line, t))
			continue;
		fprintf(stderr, "%s:%u: neither a row nor a fact: %s\n", path, number, line);
		exit(2);
	}
	if (!file || fclose(file)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
}

/* As Intel's do (SDM volume 2, CPUID): a leaf above the maximum gives the highest one's
 * data, and not zeros. */
struct cpuid_regs cpuid_table_read(const struct cpuid_table *t, uint32_t leaf, uint32_t subleaf)
{
	uint32_t most = 0;

	for (size_t i = 0; i < t->rows; i++) {
		if (t->row[i].leaf == leaf && t->row[i].subleaf == subleaf)
			return t->row[i].regs;
		if (t->row[i].leaf == 0)
			most = t->row[i].regs.eax;
	}
	if (leaf < 0x40000000 && leaf > most)
		return cpuid_table_read(t, most, subleaf);
	return (struct cpuid_regs){ 0 };
}

static struct cpuid_regs read_table(const void *context, uint32_t leaf, uint32_t subleaf)
{
	return cpuid_table_read(context, leaf, subleaf);
}

struct cpuid_source cpuid_table_source(const struct cpuid_table *t)
{
	return (struct cpuid_source){ read_table, t, t->xcr0 };
}

/* ------------------------------------------------------------ the tests */

static void name_of(const struct cpuid_table *t, char *what, size_t size, const char *key)
{
	snprintf(what, size, "%s: %s", t->name, key);
}

/* "has: sse mmx": each must be there, or none. */
static void check_features(const struct cpuid_table *t, const char *names, enum needs_verdict want)
{
	struct cpuid_source source = cpuid_table_source(t);
	char copy[160], what[128], word[32];

	snprintf(copy, sizeof(copy), "%s", names);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
		name_of(t, what, sizeof(what), name);
		check_number(features_check(&source, name, word, sizeof(word)), want, what,
			     __FILE__, __LINE__);
	}
}

static void text_of(const struct cpu *cpu, const char *key, char *text, size_t size)
{
	static const char *const timing[] = { "hardware", "virtual", "emulated", "hosted" };
	const struct machine_identity bare = { 0 };

	if (strcmp(key, "cpu") == 0)
		snprintf(text, size, "%s", cpu->brand[0] ? cpu->brand : "n/a");
	else if (strcmp(key, "cpu-id") == 0)
		snprintf(text, size, "%s-%u-%u-%u", cpu->vendor, cpu->family, cpu->model,
			 cpu->stepping);
	else if (strcmp(key, "hypervisor") == 0)
		snprintf(text, size, "%s", cpu->hypervisor ? cpu->hypervisor_name : "none");
	else if (strcmp(key, "timing") == 0)
		snprintf(text, size, "%s", timing[cpu_timing(cpu, &bare)]);
	else if (strcmp(key, "threads") == 0)
		snprintf(text, size, "%u %u", cpu->threads_per_core, cpu->threads_per_package);
	else if (strcmp(key, "l1d") == 0)
		snprintf(text, size, "%s", cpu_cache_text(&cpu->l1d).text);
	else if (strcmp(key, "l2") == 0)
		snprintf(text, size, "%s", cpu_cache_text(&cpu->l2).text);
	else if (strcmp(key, "l3") == 0)
		snprintf(text, size, "%s", cpu_cache_text(&cpu->l3).text);
	else if (strcmp(key, "dtlb") == 0)
		snprintf(text, size, "%s", cpu_tlb_text(&cpu->dtlb).text);
	else if (strcmp(key, "stlb") == 0)
		snprintf(text, size, "%s", cpu_tlb_text(&cpu->stlb).text);
	else
		snprintf(text, size, "no such key");
}

/* As META tsc-hz begins: "2208000000 source=cpuid15". */
static void clock_of(const struct cpuid_source *cpu, char *text, size_t size)
{
	struct cpuid_regs r = cpuid_leaf(cpu, 0x15, 0);
	struct frequency_leaves leaves = { cpuid_leaf(cpu, 1, 0).eax,
					   r.eax,
					   r.ebx,
					   r.ecx,
					   cpuid_leaf(cpu, 0x16, 0).eax,
					   cpuid_leaf(cpu, 0x40000010, 0).eax };
	const char *name;
	uint64_t hz = frequency_claimed(&leaves, &name);

	snprintf(text, size, hz ? "%" PRIu64 " source=%s" : "n/a", hz, name);
}

static void check_table(const struct cpuid_table *t)
{
	struct cpuid_source source = cpuid_table_source(t);
	char text[160], what[128];
	struct cpu cpu;

	cpu_identify(&source, &cpu);
	for (size_t i = 0; i < t->facts; i++) {
		const char *key = t->fact[i].key, *value = t->fact[i].value;

		if (strcmp(key, "has") == 0) {
			check_features(t, value, NEEDS_MET);
		} else if (strcmp(key, "lacks") == 0) {
			check_features(t, value, NEEDS_LACKING);
		} else {
			if (strcmp(key, "tsc-hz") == 0)
				clock_of(&source, text, sizeof(text));
			else
				text_of(&cpu, key, text, sizeof(text));
			name_of(t, what, sizeof(what), key);
			check_text(text, value, what, __FILE__, __LINE__);
		}
	}
	CHECK(t->facts >= 10);
}

TEST(recorded_cpus_are_identified)
{
	struct cpuid_table table;
	glob_t files;

	CHECK_NUMBER(glob(CPUID_FOLDER "/*.txt", 0, NULL, &files), 0);
	CHECK(files.gl_pathc > 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		cpuid_table_load(files.gl_pathv[i], &table);
		check_table(&table);
	}
	globfree(&files);
}

TEST(nonsense_from_cpuid_is_not_known)
{
	struct cpuid_table t = { .rows = 0 };
	struct cpuid_source source = cpuid_table_source(&t);
	struct cpu cpu;

	cpu_identify(&source, &cpu); /* a CPU without CPUID: zeros */
	CHECK_TEXT(cpu.vendor, "");
	CHECK_TEXT(cpu_cache_text(&cpu.l1d).text, "n/a");
	CHECK_TEXT(cpu_tlb_text(&cpu.dtlb).text, "n/a");
	CHECK_NUMBER(cpu.threads_per_core, 1);

	/* 1 TiB of level 1, a line of 48 bytes, all bits set */
	t.rows = 5;
	t.row[0].regs = (struct cpuid_regs){ 4, 0x756e6547, 0x6c65746e, 0x49656e69 };
	t.row[1].leaf = 4;
	t.row[1].regs = (struct cpuid_regs){ 0x21, 0x01c0003f, 0x7fffffff, 0 };
	t.row[2].leaf = 4;
	t.row[2].subleaf = 1;
	t.row[2].regs = (struct cpuid_regs){ 0x43, 0x01c0002f, 0x3f, 0 };
	t.row[3].leaf = 4;
	t.row[3].subleaf = 2;
	t.row[3].regs = (struct cpuid_regs){ 0xffffff63, 0xffffffff, 0xffffffff, 0 };
	t.row[4].leaf = 1;
	cpu_identify(&source, &cpu);
	CHECK_TEXT(cpu_cache_text(&cpu.l1d).text, "n/a");
	CHECK_TEXT(cpu_cache_text(&cpu.l2).text, "n/a");
	CHECK_TEXT(cpu_cache_text(&cpu.l3).text, "n/a");
}

TEST(tlbs_by_leaf_18h)
{
	struct cpuid_table t = { .rows = 6 };
	struct cpuid_source source = cpuid_table_source(&t);
	struct cpu cpu;

	t.row[0].regs.eax = 0x18;
	for (uint32_t i = 0; i < 5; i++) {
		t.row[1 + i].leaf = 0x18;
		t.row[1 + i].subleaf = i;
	}
	t.row[1].regs.eax = 4; /* the last subleaf; itself of no TLB */
	/* EBX: ways, page sizes; ECX: sets; EDX: level, sort */
	t.row[2].regs = (struct cpuid_regs){ 0, 8 << 16 | 1, 32, 1 << 5 | 2 }; /* of code */
	t.row[3].regs = (struct cpuid_regs){ 0, 4 << 16 | 6, 8, 1 << 5 | 1 };  /* large pages */
	t.row[4].regs = (struct cpuid_regs){ 0, 16 << 16 | 1, 1, 0x100 | 1 << 5 | 4 };
	t.row[5].regs = (struct cpuid_regs){ 0, 8 << 16 | 7, 256, 2 << 5 | 3 };
	cpu_identify(&source, &cpu);
	CHECK_TEXT(cpu_tlb_text(&cpu.dtlb).text, "16/full");
	CHECK_TEXT(cpu_tlb_text(&cpu.stlb).text, "2048/8");
}

TEST(timing_kind_follows_who_lies_below)
{
	struct cpu cpu = { .hypervisor = false };
	struct machine_identity identity = { .hosted = false };

	CHECK_NUMBER(cpu_timing(&cpu, &identity), TIMING_HARDWARE);
	identity.emulator = true;
	CHECK_NUMBER(cpu_timing(&cpu, &identity), TIMING_EMULATED);
	identity.emulator = false;
	cpu.hypervisor = true;
	strcpy(cpu.hypervisor_name, "KVMKVMKVM");
	CHECK_NUMBER(cpu_timing(&cpu, &identity), TIMING_VIRTUAL);
	strcpy(cpu.hypervisor_name, "TCGTCGTCGTCG");
	CHECK_NUMBER(cpu_timing(&cpu, &identity), TIMING_EMULATED);
	identity.hosted = true;
	CHECK_NUMBER(cpu_timing(&cpu, &identity), TIMING_HOSTED);
}

TEST(needs_are_words_of_alternatives)
{
	struct cpuid_table t = { .rows = 3, .xcr0 = 3 };
	struct cpuid_source source = cpuid_table_source(&t);
	char word[32];

	t.row[0].regs.eax = 7;
	t.row[1].leaf = 1;
	t.row[1].regs =
		(struct cpuid_regs){ 0, 0, 1u << 28, 1u << 25 | 1u << 23 }; /* avx sse mmx */
	t.row[2].leaf = 7;
	t.row[2].regs = (struct cpuid_regs){ 0, 1u << 9, 0, 0 }; /* erms */

	CHECK_NUMBER(features_check(&source, "", word, sizeof(word)), NEEDS_MET);
	CHECK_NUMBER(features_check(&source, "sse mmx erms", word, sizeof(word)), NEEDS_MET);
	CHECK_TEXT(word, "");
	CHECK_NUMBER(features_check(&source, " mmx  mmxext|sse ", word, sizeof(word)), NEEDS_MET);
	CHECK_NUMBER(features_check(&source, "mmx sse2 3dnow", word, sizeof(word)), NEEDS_LACKING);
	CHECK_TEXT(word, "sse2");
	CHECK_NUMBER(features_check(&source, "mmxext|3dnow sse", word, sizeof(word)),
		     NEEDS_LACKING);
	CHECK_TEXT(word, "mmxext|3dnow");
	/* The CPU has it; the system has not turned its registers on. */
	CHECK_NUMBER(features_check(&source, "avx", word, sizeof(word)), NEEDS_LACKING);
	t.xcr0 = 7;
	source.xcr0 = 7;
	CHECK_NUMBER(features_check(&source, "avx", word, sizeof(word)), NEEDS_MET);
	/* Leaf 7 has no subleaf 1 here, whatever is read there. */
	CHECK_NUMBER(features_check(&source, "fzrm", word, sizeof(word)), NEEDS_LACKING);
}

TEST(misspelt_needs_never_hide)
{
	struct cpuid_table t = { .rows = 2, .xcr0 = 3 };
	struct cpuid_source source = cpuid_table_source(&t);
	char word[32];

	t.row[0].regs.eax = 1;
	t.row[1].leaf = 1;
	t.row[1].regs.edx = 1u << 25;
	CHECK_NUMBER(features_check(&source, "sse|ssse2", word, sizeof(word)), NEEDS_UNKNOWN_NAME);
	CHECK_TEXT(word, "ssse2");
	CHECK_NUMBER(features_check(&source, "sse2 ss", word, sizeof(word)), NEEDS_UNKNOWN_NAME);
	CHECK_TEXT(word, "ss");
	CHECK_NUMBER(features_check(&source, "sse,sse", word, sizeof(word)), NEEDS_UNKNOWN_NAME);
	CHECK_NUMBER(features_check(&source, "SSE", word, sizeof(word)), NEEDS_UNKNOWN_NAME);
}
