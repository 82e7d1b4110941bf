/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/identity.h"

#include "kernel/acpi.h"
#include "kernel/arch.h"
#include "kernel/cpu.h"
#include "kernel/ioapic.h"
#include "kernel/kernel.h"
#include "kernel/serial.h"
#include "kernel/smp.h"
#include "lib/format.h"
#include "lib/string.h"

#define FLAG_ID (1u << 21)

/* The 486 had no CPUID at first: it is there when the ID flag can be changed. */
static bool has_cpuid(void)
{
#if defined(__x86_64__)
	return true;
#else
	uintptr_t before = read_flags(), after;
	__asm__ volatile("push %1\n\tpopf\n\tpushf\n\tpop %0\n\tpush %2\n\tpopf"
			 : "=&r"(after)
			 : "r"(before ^ FLAG_ID), "r"(before)
			 : "cc");
	return (after ^ before) & FLAG_ID;
#endif
}

static struct cpuid_regs cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r;
	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "0"(leaf), "2"(subleaf));
	return r;
}

#define CPUID1_ECX_HYPERVISOR (1u << 31)

/* Each range of leaves begins with one that tells its last; beyond that Intel's CPUs
 * repeat another leaf, and what a CPU without the range answers means nothing. */
struct cpuid_regs machine_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs none = { 0 };
	uint32_t range = leaf & 0xffff0000;
	if (!has_cpuid())
		return none;
	if (range == 0x40000000 && !(cpuid(1, 0).ecx & CPUID1_ECX_HYPERVISOR))
		return none;
	uint32_t last = cpuid(range, 0).eax;
	if (leaf > last || (last & 0xffff0000) != range)
		return none;
	return cpuid(leaf, subleaf);
}

bool vendor_is(const char *name)
{
	struct cpuid_regs r = machine_cpuid(0, 0);
	return !memcmp(&r.ebx, name, 4) && !memcmp(&r.edx, name + 4, 4) &&
	       !memcmp(&r.ecx, name + 8, 4);
}

unsigned cpu_family(void)
{
	uint32_t eax = machine_cpuid(1, 0).eax, base = eax >> 8 & 15;
	return base == 15 ? base + (eax >> 20 & 255) : base;
}

#define MSR_MICROCODE 0x8b

/* SDM volume 3, "Microcode Update Facilities": Intel's is in the high half after a
 * CPUID; AMD's (from the K8 on) is the low half. */
static uint32_t microcode(void)
{
	uint64_t value = 0;
	bool intel = vendor_is("GenuineIntel") && cpu_family() >= 6;
	bool amd = (vendor_is("AuthenticAMD") && cpu_family() >= 15) || vendor_is("HygonGenuine");
	if (!intel && !amd)
		return 0;
	if (intel && !msr_write(MSR_MICROCODE, 0))
		return 0;
	cpuid(1, 0);
	if (!msr_read(MSR_MICROCODE, &value))
		return 0;
	return (uint32_t)(intel ? value >> 32 : value);
}

#define BDA_BASE_MEMORY 0x413u /* KiB below 640K; firmware that is no BIOS leaves it empty */
#define INT19_SEGMENT   (0x19u * 4 + 2)

static bool bios_was_here(void)
{
	uint16_t kib = 0, segment = 0;
	return physical_read(&kib, BDA_BASE_MEMORY, sizeof kib) &&
	       physical_read(&segment, INT19_SEGMENT, sizeof segment) && kib >= 256 && kib <= 640 &&
	       segment >= 0xc000;
}

/* A multiboot 1 loader says nothing of EFI; then the traces of a BIOS decide. */
static const char *firmware(void)
{
	if (boot_info.efi)
		return "uefi";
	return bios_was_here() ? "bios" : "n/a";
}

#define FW_CFG_SELECT    0x510
#define FW_CFG_DATA      0x511
#define FW_CFG_SIGNATURE 0

bool qemu_is_here(void)
{
	char signature[4];
	outw(FW_CFG_SELECT, FW_CFG_SIGNATURE);
	for (int i = 0; i < 4; i++)
		signature[i] = (char)inb(FW_CFG_DATA);
	return !memcmp(signature, "QEMU", 4);
}

/* Bochs' firmware, which QEMU's began as, signs its tables so. */
static bool bochs_is_here(void)
{
	struct acpi_table table;
	struct acpi_header header;
	return acpi_find("FACP", &table) && physical_read(&header, table.address, sizeof header) &&
	       !memcmp(header.oem, "BOCHS ", 6);
}

/* Under a hypervisor, which CPUID tells of, the same devices belong to a virtual
 * machine on a real CPU. */
static bool emulator(void)
{
	return !(machine_cpuid(1, 0).ecx & CPUID1_ECX_HYPERVISOR) &&
	       (qemu_is_here() || bochs_is_here());
}

bool is_emulated(void)
{
	struct cpuid_regs r = machine_cpuid(0x40000000, 0);
	return emulator() || (!memcmp(&r.ebx, "TCGT", 4) && !memcmp(&r.ecx, "CGTC", 4) &&
			      !memcmp(&r.edx, "GTCG", 4));
}

bool is_virtual(void)
{
	return is_emulated() || machine_cpuid(1, 0).ecx & CPUID1_ECX_HYPERVISOR;
}

static struct machine_identity identity = { .firmware = "n/a", .microcode = "n/a" };

void machine_identify(void)
{
	static char text[12];
	uint32_t revision = microcode();
	identity.emulator = emulator();
	identity.firmware = firmware();
	identity.prefetchers = prefetchers_found();
	if (revision) {
		format(text, sizeof text, "0x%x", revision);
		identity.microcode = text;
	}
	identity.memory_bytes = physical_total();
	identity.cpus_online = madt_cpus(NULL, 0);
	identity.cpus_used = smp_used();
	identity.serial = serial_text();
}

const struct machine_identity *machine_identity(void)
{
	return &identity;
}
