/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/identity.h"

#include "copies/params.h"
#include "lib/format.h"
#include "suite/core.h"
#include "suite/machine.h"
#include "suite/record.h"
#include "version.h"

struct copy_params copy_params;

static struct cpuid_source source;
static struct cpu cpu;

static struct cpuid_regs read_machine(const void *context, uint32_t leaf, uint32_t subleaf)
{
	(void)context;
	return machine_cpuid(leaf, subleaf);
}

static bool has(const char *feature)
{
	char word[16];

	return features_check(&source, feature, word, sizeof(word)) == NEEDS_MET;
}

static void fill_copy_params(void)
{
	copy_params.user_limit = machine_user_limit();
	copy_params.l2_bytes = (uintptr_t)cpu.l2.bytes;
	/* The published routine of 2002 touches 64 KiB again: an Athlon's whole L1. */
	copy_params.postfetch_bytes = 64 * 1024;
	copy_params.femms = has("3dnow");
	copy_params.align_mask = 7;
	copy_params.erms = has("erms");
	copy_params.fsrm = has("fsrm");
	/* glibc's choice: a rep pays off from 2 KiB on; past 3/4 of the last cache the
	 * destination would be out of it again by the time it is complete. */
	copy_params.rep_from = 2048;
	copy_params.nt_from = (uintptr_t)(cpu.l3.bytes ? cpu.l3.bytes : cpu.l2.bytes) / 4 * 3;
	if (copy_params.nt_from < 256 * 1024)
		copy_params.nt_from = 256 * 1024;
}

void identity_start(void)
{
	source = (struct cpuid_source){ .read = read_machine, .xcr0 = machine_xcr0() };
	cpu_identify(&source, &cpu);
	fill_copy_params();
}

const struct cpuid_source *identity_cpuid(void)
{
	return &source;
}

const struct cpu *identity_cpu(void)
{
	return &cpu;
}

enum timing_kind identity_timing(void)
{
	return cpu_timing(&cpu, machine_identity());
}

const char *identity_timing_name(void)
{
	static const char *const names[] = { "hardware", "virtual", "emulated", "hosted" };

	return names[identity_timing()];
}

void identity_caution(void)
{
	if (identity_timing() == TIMING_EMULATED)
		record_text("timing: emulated: the figures test this program, not a CPU");
}

/* ------------------------------------------------------------ META lines */

static const char *or_na(const char *text)
{
	return text && text[0] ? text : "n/a";
}

static void print_hypervisor(void)
{
	if (cpu.hypervisor)
		record_meta("hypervisor", "%s source=cpuid",
			    cpu.hypervisor_name[0] ? cpu.hypervisor_name : "unnamed");
	else if (machine_identity()->emulator)
		record_meta("hypervisor", "emulator source=machine");
	else
		record_meta("hypervisor", "none");
}

static unsigned groups_of(unsigned count, unsigned size)
{
	return (count + size - 1) / size;
}

static void print_cpus(void)
{
	unsigned online = machine_identity()->cpus_online, used = machine_identity()->cpus_used;

	if (online)
		record_meta("cpus", "%u cores=%u sockets=%u used=%u", online,
			    groups_of(online, cpu.threads_per_core),
			    groups_of(online, cpu.threads_per_package), used);
	else
		record_meta("cpus", "n/a cores=n/a sockets=n/a used=%u", used);
}

#define PPM_FLAGGED 1000

static void print_clock(void)
{
	const struct machine_clock *clock = machine_clock();
	char hz[24] = "n/a";

	if (clock->tsc_hz)
		format(hz, sizeof(hz), "%llu", (unsigned long long)clock->tsc_hz);
	record_meta("tsc-hz", "%s source=%s cross=%s ppm=%llu", hz, or_na(clock->source),
		    or_na(clock->cross), (unsigned long long)clock->ppm);
	if (clock->ppm > PPM_FLAGGED)
		record_text("clock: %s and %s are %llu ppm apart: %s", or_na(clock->source),
			    or_na(clock->cross), (unsigned long long)clock->ppm,
			    clock->tsc_hz ? "times may be wrong by that much"
					  : "no time is given, ticks only");
	if (clock->tsc_step)
		record_meta("tsc-step", "%u", clock->tsc_step);
	else
		record_meta("tsc-step", "n/a");
	uint64_t core = core_hz();
	if (core)
		record_meta("core-hz", "%llu source=%s", (unsigned long long)core, core_source());
	else
		record_meta("core-hz", "n/a");
}

static void print_caches(void)
{
	record_meta("l1d", "%s", cpu_cache_text(&cpu.l1d).text);
	record_meta("l2", "%s", cpu_cache_text(&cpu.l2).text);
	record_meta("l3", "%s", cpu_cache_text(&cpu.l3).text);
	record_meta("dtlb", "%s", cpu_tlb_text(&cpu.dtlb).text);
	record_meta("stlb", "%s", cpu_tlb_text(&cpu.stlb).text);
}

void identity_print(void)
{
	const struct machine_identity *identity = machine_identity();

	record_meta("cpu", "%s", or_na(cpu.brand));
	record_meta("version", "%s", METALCOPY_VERSION);
	record_meta("timing", "%s", identity_timing_name());
	print_hypervisor();
	record_meta("cpu-id", "%s-%u-%u-%u", or_na(cpu.vendor), cpu.family, cpu.model,
		    cpu.stepping);
	record_meta("microcode", "%s", or_na(identity->microcode));
	print_cpus();
	print_clock();
	print_caches();
	record_meta("prefetchers", "%s", or_na(identity->prefetchers));
	if (identity->memory_bytes)
		record_meta("memory-mib", "%llu",
			    (unsigned long long)(identity->memory_bytes >> 20));
	else
		record_meta("memory-mib", "n/a");
	record_meta("firmware", "%s", or_na(identity->firmware));
	if (identity->addresses)
		record_meta("addresses", "%s", identity->addresses);
}
