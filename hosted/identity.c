/* SPDX-License-Identifier: BSD-2-Clause */
/* What machine this is: CPUID, and what the kernel says that CPUID does not. */
#include "hosted/hosted.h"
#include "suite/machine.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CPUID1_ECX_HYPERVISOR (1u << 31)

static struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r;
	__cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
	return r;
}

/* A leaf above its range's maximum answers with another leaf's data on Intel. */
struct cpuid_regs machine_cpuid(uint32_t leaf, uint32_t subleaf)
{
	uint32_t range = leaf & 0xf0000000;
	bool known = range != 0x40000000 || cpuid(1, 0).ecx & CPUID1_ECX_HYPERVISOR;
	uint32_t maximum = known ? cpuid(range, 0).eax : 0;
	if (leaf < range || leaf > maximum)
		return (struct cpuid_regs){ 0 };
	return cpuid(leaf, subleaf);
}

uint64_t machine_xcr0(void)
{
	if (!(cpuid(1, 0).ecx & CPUID1_ECX_OSXSAVE))
		return 3;
	uint32_t low, high;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

uint32_t machine_can(void)
{
	return cpus_used() > 1 ? CAN_CPUS : 0;
}

static const char *read_microcode(void)
{
	static char text[24] = "n/a";
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[4096];
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "microcode : %23s", text) == 1)
			break;
	if (file)
		fclose(file);
	return text;
}

/* Only UEFI leaves a directory; its absence on a virtual machine may mean that there
 * is no firmware at all. */
static const char *find_firmware(void)
{
	if (access("/sys/firmware/efi", F_OK) == 0)
		return "uefi";
	return access("/sys/firmware/dmi/tables", F_OK) == 0 ? "bios" : "n/a";
}

const struct machine_identity *machine_identity(void)
{
	static struct machine_identity identity;
	if (identity.hosted)
		return &identity;
	long pages = sysconf(_SC_PHYS_PAGES), cpus = sysconf(_SC_NPROCESSORS_ONLN);
	identity = (struct machine_identity){
		.hosted = true,
		.firmware = find_firmware(),
		.microcode = read_microcode(),
		.prefetchers = "n/a",
		.memory_bytes = pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0,
		.cpus_online = cpus > 0 ? (unsigned)cpus : 0,
		.cpus_used = cpus_used(),
		.addresses = hosted_addresses_fixed() ? "fixed" : "random",
	};
	return &identity;
}
