/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a multiboot loader, version 1 or 2, says of the machine. Its data may lie
 * anywhere below 4 GiB, in memory that is free by its own map: so every piece is
 * copied out, and checked, before anything is allocated. Nonsense is left out and
 * noted in boot_info.problem.
 */
#include "kernel/arch.h"
#include "kernel/kernel.h"
#include "lib/string.h"

#define MULTIBOOT1_BOOTED 0x2badb002u
#define MULTIBOOT2_BOOTED 0x36d76289u

#define PHYSICAL_END ((uint64_t)1 << 52) /* no x86 addresses more (SDM volume 3, 4.1.4) */

struct boot_info boot_info;

static void problem(const char *what)
{
	if (!boot_info.problem)
		boot_info.problem = what;
}

static bool read_at(void *to, uint64_t address, size_t n)
{
	if (physical_read(to, address, n))
		return true;
	problem("the loader's data lie where they cannot be read");
	return false;
}

/* Both versions number kinds of memory as ACPI does (ACPI 6.5, 15). */
static void add_memory(uint64_t start, uint64_t bytes, uint32_t type)
{
	enum memory_kind kind = type == 1                ? MEMORY_USABLE
				: type == 3 || type == 4 ? MEMORY_ACPI
							 : MEMORY_OTHER;

	if (bytes == 0)
		return;
	if (start > PHYSICAL_END || bytes > PHYSICAL_END - start)
		return problem("a memory range passes 2^52");
	if (boot_info.memory_ranges == MEMORY_RANGES_MAX)
		return problem("more memory ranges than are kept");
	boot_info.memory[boot_info.memory_ranges++] =
		(struct memory_range){ start, start + bytes, kind };
}

static void add_module(uint32_t start, uint32_t end)
{
	if (end < start)
		return problem("a module ends before it starts");
	if (boot_info.module_count == BOOT_MODULES_MAX)
		return problem("more modules than are kept");
	boot_info.modules[boot_info.module_count++] =
		(struct memory_range){ start, end, MEMORY_OTHER };
}

/* A string of the loader's, cut to fit. */
static void read_string(char *to, size_t size, uint64_t address)
{
	size_t n = 0;

	while (n < size && read_at(&to[n], address + n, 1) && to[n])
		n++;
	if (n == size) {
		problem("a string of the loader's is too long: its end is cut off");
		n--;
	}
	to[n] = 0;
}

/* The same in both versions, but for a gap between the two. */
struct framebuffer_info {
	uint64_t address;
	uint32_t pitch, width, height;
	uint8_t bits, type;
} __attribute__((packed));

struct framebuffer_color {
	uint8_t red_shift, red_bits, green_shift, green_bits, blue_shift, blue_bits;
};

enum { FRAMEBUFFER_INDEXED, FRAMEBUFFER_RGB, FRAMEBUFFER_TEXT };

static void set_framebuffer(const struct framebuffer_info *info,
			    const struct framebuffer_color *color)
{
	if (info->type != FRAMEBUFFER_RGB && info->type != FRAMEBUFFER_TEXT)
		return;
	boot_info.framebuffer = (struct framebuffer){
		.address = info->address,
		.pitch = info->pitch,
		.width = info->width,
		.height = info->height,
		.bits = info->bits,
		.text = info->type == FRAMEBUFFER_TEXT,
		.red = { color->red_shift, color->red_bits },
		.green = { color->green_shift, color->green_bits },
		.blue = { color->blue_shift, color->blue_bits },
	};
}

/* ------------------------------------------------------------ version 1 */

enum {
	HAS_MEMORY = 1u << 0,
	HAS_COMMAND_LINE = 1u << 2,
	HAS_MODULES = 1u << 3,
	HAS_MAP = 1u << 6,
	HAS_LOADER = 1u << 9,
	HAS_FRAMEBUFFER = 1u << 12
};

struct info1 { /* Multiboot 1 specification, 3.3 */
	uint32_t flags;
	uint32_t lower_kib, upper_kib;
	uint32_t boot_device;
	uint32_t command_line;
	uint32_t module_count, modules;
	uint32_t symbols[4];
	uint32_t map_bytes, map;
	uint32_t drives_bytes, drives;
	uint32_t config_table;
	uint32_t loader;
	uint32_t apm;
	uint32_t vbe[4];
	struct framebuffer_info framebuffer;
	struct framebuffer_color color;
} __attribute__((packed));
_Static_assert(sizeof(struct info1) == 116, "as the specification draws it");

static void read_map1(uint32_t address, uint32_t bytes)
{
	struct {
		uint32_t size; /* of the rest */
		uint64_t start, bytes;
		uint32_t type;
	} __attribute__((packed)) entry;

	for (uint64_t at = address, end = at + bytes; at < end; at += entry.size + 4) {
		if (!read_at(&entry, at, sizeof entry))
			return;
		if (entry.size < sizeof entry - 4 || entry.size > 256)
			return problem("a memory map entry has a senseless size");
		add_memory(entry.start, entry.bytes, entry.type);
	}
}

static void read_modules1(uint32_t address, uint32_t count)
{
	uint32_t module[4]; /* start, end, string, 0 */

	for (uint32_t i = 0; i < count && i <= BOOT_MODULES_MAX; i++)
		if (read_at(module, address + (uint64_t)i * sizeof module, sizeof module))
			add_module(module[0], module[1]);
}

/* QEMU and iPXE put the image's name first, GRUB does not; options have an '='. */
static void drop_image_name(char *line)
{
	size_t n = 0;

	if (strncmp(boot_info.loader, "GRUB", 4) == 0)
		return;
	while (line[n] && line[n] != ' ' && line[n] != '=')
		n++;
	if (line[n] != '=')
		memmove(line, line + n, strlen(line + n) + 1);
}

static void read_info1(uint32_t address)
{
	struct info1 info;

	boot_info.protocol = "multiboot 1";
	if (!read_at(&info, address, sizeof info))
		return;
	if (info.flags & HAS_LOADER)
		read_string(boot_info.loader, sizeof boot_info.loader, info.loader);
	if (info.flags & HAS_COMMAND_LINE) {
		read_string(boot_info.command_line, sizeof boot_info.command_line,
			    info.command_line);
		drop_image_name(boot_info.command_line);
	}
	if (info.flags & HAS_MODULES)
		read_modules1(info.modules, info.module_count);
	if (info.flags & HAS_MAP) {
		read_map1(info.map, info.map_bytes);
	} else if (info.flags & HAS_MEMORY) {
		add_memory(0, (uint64_t)info.lower_kib << 10, 1);
		add_memory(1 << 20, (uint64_t)info.upper_kib << 10, 1);
	}
	if (info.flags & HAS_FRAMEBUFFER)
		set_framebuffer(&info.framebuffer, &info.color);
}

/* ------------------------------------------------------------ version 2 */

enum tag2_type {
	TAG_END = 0,
	TAG_COMMAND_LINE = 1,
	TAG_LOADER = 2,
	TAG_MODULE = 3,
	TAG_MAP = 6,
	TAG_FRAMEBUFFER = 8,
	TAG_EFI32 = 11,
	TAG_EFI64 = 12,
	TAG_RSDP1 = 14,
	TAG_RSDP2 = 15
};

struct tag2 {
	uint32_t type, size; /* size includes these two */
};

#define TAGS2_MAX (1u << 20) /* bytes: what is larger is not tags */

static void read_map2(uint64_t address, uint32_t size)
{
	struct {
		uint64_t start, bytes;
		uint32_t type, zero;
	} entry;
	uint32_t entry_size;

	if (!read_at(&entry_size, address + 8, sizeof entry_size))
		return;
	if (entry_size < sizeof entry || entry_size % 8)
		return problem("a memory map entry has a senseless size");
	for (uint64_t at = address + 16; at + entry_size <= address + size; at += entry_size)
		if (read_at(&entry, at, sizeof entry))
			add_memory(entry.start, entry.bytes, entry.type);
}

static void read_module2(uint64_t address)
{
	uint32_t range[2];

	if (read_at(range, address + 8, sizeof range))
		add_module(range[0], range[1]);
}

static void read_framebuffer2(uint64_t address)
{
	struct {
		struct tag2 tag;
		struct framebuffer_info framebuffer;
		uint16_t reserved;
		struct framebuffer_color color;
	} __attribute__((packed)) tag;

	if (read_at(&tag, address, sizeof tag))
		set_framebuffer(&tag.framebuffer, &tag.color);
}

static void read_rsdp2(uint64_t address, uint32_t size)
{
	size_t n = size - sizeof(struct tag2);

	read_at(boot_info.rsdp, address + sizeof(struct tag2),
		n < sizeof boot_info.rsdp ? n : sizeof boot_info.rsdp);
}

static void read_tag2(uint64_t address, struct tag2 tag)
{
	switch (tag.type) {
	case TAG_COMMAND_LINE:
		return read_string(boot_info.command_line, sizeof boot_info.command_line,
				   address + sizeof tag);
	case TAG_LOADER:
		return read_string(boot_info.loader, sizeof boot_info.loader, address + sizeof tag);
	case TAG_MODULE:
		return read_module2(address);
	case TAG_MAP:
		return read_map2(address, tag.size);
	case TAG_FRAMEBUFFER:
		return read_framebuffer2(address);
	case TAG_EFI32:
	case TAG_EFI64:
		boot_info.efi = true;
		return;
	case TAG_RSDP1:
		if (!boot_info.rsdp[0])
			read_rsdp2(address, tag.size);
		return;
	case TAG_RSDP2:
		return read_rsdp2(address, tag.size);
	}
}

static void read_info2(uint32_t address)
{
	uint32_t total;
	struct tag2 tag;

	boot_info.protocol = "multiboot 2";
	if (!read_at(&total, address, sizeof total))
		return;
	if (total > TAGS2_MAX)
		return problem("the loader's tags have a senseless size");
	for (uint32_t at = 8; at + sizeof tag <= total; at += (tag.size + 7) & ~7u) {
		if (!read_at(&tag, address + (uint64_t)at, sizeof tag) || tag.type == TAG_END)
			return;
		if (tag.size < sizeof tag || tag.size > total - at)
			return problem("a tag has a senseless size");
		read_tag2(address + (uint64_t)at, tag);
	}
}

void boot_info_read(uint32_t magic, uint32_t info)
{
	boot_info.protocol = "n/a";
	if (magic == MULTIBOOT1_BOOTED)
		read_info1(info);
	else if (magic == MULTIBOOT2_BOOTED)
		read_info2(info);
	else
		problem("not started by a multiboot loader");
}

const char *machine_command_line(void)
{
	return boot_info.command_line;
}
