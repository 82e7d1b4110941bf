/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/acpi.h"

#include "kernel/arch.h"
#include "kernel/kernel.h"
#include "lib/option.h"
#include "lib/string.h"

/* Generous bounds: what is beyond them is damage, not a table. */
#define TABLES_MAX   128u
#define LENGTH_MAX   (16u << 20)
#define CHUNK        256u
#define ROOT_STEP    16u
#define EBDA_SEGMENT 0x40eu

struct root_pointer {
	char signature[8];
	uint8_t checksum;
	char oem[6];
	uint8_t revision;
	uint32_t rsdt;
	uint32_t length; /* from here on only where revision is 2 or more */
	uint32_t xsdt[2];
	uint8_t checksum_all, reserved[3];
};
_Static_assert(sizeof(struct root_pointer) == 36, "ACPI 5.2.5.3");
#define ROOT_POINTER_V1 20u

static struct {
	bool searched;
	struct acpi_table table[TABLES_MAX];
	char signature[TABLES_MAX][4];
	size_t tables;
} acpi;

static uint8_t sum(const void *bytes, size_t n)
{
	uint8_t total = 0;
	for (size_t i = 0; i < n; i++)
		total += ((const uint8_t *)bytes)[i];
	return total;
}

static bool physical_sum_is_zero(uint64_t address, size_t n)
{
	uint8_t chunk[CHUNK], total = 0;
	for (size_t done = 0; done < n; done += CHUNK) {
		size_t part = n - done < CHUNK ? n - done : CHUNK;
		if (!physical_read(chunk, address + done, part))
			return false;
		total += sum(chunk, part);
	}
	return total == 0;
}

static bool sound(uint64_t address, struct acpi_header *header)
{
	return address && physical_read(header, address, sizeof *header) &&
	       header->length >= sizeof *header && header->length <= LENGTH_MAX &&
	       physical_sum_is_zero(address, header->length);
}

static bool root_is_sound(const struct root_pointer *root)
{
	return !memcmp(root->signature, "RSD PTR ", 8) && !sum(root, ROOT_POINTER_V1);
}

static bool root_has_xsdt(const struct root_pointer *root)
{
	return root->revision >= 2 && root->length >= sizeof *root && !sum(root, sizeof *root);
}

static bool root_scan(uint64_t start, uint64_t end, struct root_pointer *root)
{
	for (uint64_t at = start; at < end; at += ROOT_STEP)
		if (physical_read(root, at, sizeof *root) && root_is_sound(root))
			return true;
	return false;
}

/* From the loader, else where ACPI 5.2.5.1 says that a BIOS leaves it. */
static bool root_find(struct root_pointer *root)
{
	memcpy(root, boot_info.rsdp, sizeof *root);
	if (root_is_sound(root))
		return true;
	uint16_t segment = 0;
	physical_read(&segment, EBDA_SEGMENT, sizeof segment);
	uint64_t ebda = (uint64_t)segment << 4;
	if (ebda >= 0x80000 && ebda < 0xa0000 && root_scan(ebda, ebda + 1024, root))
		return true;
	return root_scan(0xe0000, 0x100000, root);
}

static void table_keep(uint64_t address)
{
	struct acpi_header header;
	if (acpi.tables == TABLES_MAX || !sound(address, &header))
		return;
	memcpy(acpi.signature[acpi.tables], header.signature, 4);
	acpi.table[acpi.tables++] = (struct acpi_table){ address, header.length };
}

/* An RSDT or XSDT: a header and then addresses of `width` bytes. */
static bool list_read(uint64_t address, const char *signature, size_t width)
{
	struct acpi_header header;
	if (!sound(address, &header) || memcmp(header.signature, signature, 4))
		return false;
	for (size_t at = sizeof header; at + width <= header.length; at += width) {
		uint64_t entry = 0;
		if (physical_read(&entry, address + at, width))
			table_keep(entry);
	}
	return acpi.tables > 0;
}

static bool wanted = true;

static bool set_acpi(const char *value)
{
	return option_on_off(value, &wanted);
}
OPTION(acpi, "on|off", "off: do without the firmware's tables", set_acpi);

static void tables_search(void)
{
	struct root_pointer root;
	acpi.searched = true;
	if (!wanted || !root_find(&root))
		return;
	uint64_t xsdt = (uint64_t)root.xsdt[1] << 32 | root.xsdt[0];
	if (root_has_xsdt(&root) && list_read(xsdt, "XSDT", 8))
		return;
	list_read(root.rsdt, "RSDT", 4);
}

bool acpi_find(const char *signature, struct acpi_table *table)
{
	if (!acpi.searched)
		tables_search();
	for (size_t i = 0; i < acpi.tables; i++) {
		if (memcmp(acpi.signature[i], signature, 4))
			continue;
		*table = acpi.table[i];
		return true;
	}
	return false;
}

bool acpi_fadt(struct acpi_fadt *fadt)
{
	struct acpi_table table;
	*fadt = (struct acpi_fadt){ 0 };
	if (!acpi_find("FACP", &table))
		return false;
	size_t n = table.length < sizeof *fadt ? table.length : sizeof *fadt;
	return physical_read(fadt, table.address, n);
}

bool acpi_dsdt(const struct acpi_fadt *fadt, struct acpi_table *table)
{
	struct acpi_header header;
	uint64_t wide = (uint64_t)fadt->dsdt64[1] << 32 | fadt->dsdt64[0];
	uint64_t address = wide ? wide : fadt->dsdt;
	if (!sound(address, &header) || memcmp(header.signature, "DSDT", 4))
		return false;
	*table = (struct acpi_table){ address, header.length };
	return true;
}
