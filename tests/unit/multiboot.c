/* SPDX-License-Identifier: BSD-2-Clause */
/* The loader's data, as loaders really leave it and as they never should. */
#include "kernel/arch.h"
#include "kernel/kernel.h"
#include "lib/random.h"
#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <string.h>

/* Physical memory just below 4 GiB, where boot data may lie too. */
#define BASE 0xffff0000u
static uint8_t memory[0x10000];
static uint32_t used;

struct unit_memory unit_memory[2];

static bool read_piece(const struct unit_memory *m, void *to, uint64_t address, size_t n)
{
	if (address < m->address || address + n > m->address + m->size)
		return false;
	memcpy(to, m->bytes + (address - m->address), n);
	return true;
}

bool physical_read(void *to, uint64_t address, size_t n)
{
	if (read_piece(&unit_memory[0], to, address, n) ||
	    read_piece(&unit_memory[1], to, address, n))
		return true;
	if (address < BASE || address + n > BASE + (uint64_t)sizeof memory)
		return false;
	memcpy(to, memory + (address - BASE), n);
	return true;
}

static void start_over(void)
{
	boot_info = (struct boot_info){ 0 };
	memset(memory, 0, sizeof memory);
	used = 0;
}

static uint32_t put(const void *bytes, size_t n)
{
	uint32_t at = used;

	memcpy(memory + at, bytes, n);
	used += (uint32_t)(n + 7) & ~7u;
	return BASE + at;
}

static void put32(uint32_t offset, uint32_t value)
{
	memcpy(memory + offset, &value, sizeof value);
}

/* ------------------------------------------------------------ version 1 */

#define MAGIC1 0x2badb002u
#define INFO1  116

static void build1(uint32_t flags, const char *line, const char *loader)
{
	const uint32_t map[] = {
		20, 0,        0, 0x9fc00,   0, 1, /* size, start, bytes, type */
		20, 0x100000, 0, 0x7f00000, 0, 1, 20, 0xfffc0000, 0, 0x40000, 0, 2
	};

	start_over();
	used = INFO1 + 4;
	put32(0, flags);
	put32(16, put(line, strlen(line) + 1));
	put32(64, put(loader, strlen(loader) + 1));
	put32(44, sizeof map);
	put32(48, put(map, sizeof map));
}

TEST(multiboot1_map_and_words)
{
	build1(1 << 2 | 1 << 6 | 1 << 9, "suite=quick seed=2", "GRUB 2.06");
	boot_info_read(MAGIC1, BASE);
	CHECK(!boot_info.problem);
	CHECK_TEXT(boot_info.command_line, "suite=quick seed=2");
	CHECK_TEXT(boot_info.loader, "GRUB 2.06");
	CHECK_NUMBER(boot_info.memory_ranges, 3);
	CHECK_NUMBER(boot_info.memory[1].end, 0x8000000);
	CHECK_NUMBER(boot_info.memory[2].end, 0x100000000);
	CHECK_NUMBER(boot_info.memory[2].kind, MEMORY_OTHER);
}

TEST(multiboot1_drops_the_name_of_the_image)
{
	build1(1 << 2 | 1 << 9, "/boot/metalcopy.elf seed=2 end=halt", "qemu");
	boot_info_read(MAGIC1, BASE);
	CHECK_TEXT(boot_info.command_line, " seed=2 end=halt");
	build1(1 << 2 | 1 << 9, "metalcopy.elf", "iPXE 1.21");
	boot_info_read(MAGIC1, BASE);
	CHECK_TEXT(boot_info.command_line, "");
	build1(1 << 2 | 1 << 9, "seed=2 end=halt", "iPXE 1.21");
	boot_info_read(MAGIC1, BASE);
	CHECK_TEXT(boot_info.command_line, "seed=2 end=halt");
}

TEST(multiboot1_without_a_map)
{
	build1(1 << 0, "", "");
	put32(4, 640);
	put32(8, 64 << 10);
	boot_info_read(MAGIC1, BASE);
	CHECK_NUMBER(boot_info.memory_ranges, 2);
	CHECK_NUMBER(boot_info.memory[0].end, 640 << 10);
	CHECK_NUMBER(boot_info.memory[1].start, 1 << 20);
	CHECK_NUMBER(boot_info.memory[1].end, 65 << 20);
}

TEST(multiboot1_map_that_makes_no_sense)
{
	build1(1 << 6, "", "");
	put32(44, 0x1000000); /* longer than what can be read; zeros end it before that */
	boot_info_read(MAGIC1, BASE);
	CHECK(boot_info.problem != NULL);
	CHECK_NUMBER(boot_info.memory_ranges, 3);
}

TEST(long_command_line_is_cut)
{
	char line[3000];

	memset(line, 'a', sizeof line - 1);
	line[0] = '=';
	line[sizeof line - 1] = 0;
	build1(1 << 2, line, "");
	boot_info_read(MAGIC1, BASE);
	CHECK_NUMBER(strlen(boot_info.command_line), sizeof boot_info.command_line - 1);
	CHECK(boot_info.problem != NULL);
	line[sizeof boot_info.command_line - 1] = 0; /* just fits */
	build1(1 << 2, line, "");
	boot_info_read(MAGIC1, BASE);
	CHECK_NUMBER(strlen(boot_info.command_line), sizeof boot_info.command_line - 1);
	CHECK(boot_info.problem == NULL);
}

/* ------------------------------------------------------------ version 2 */

#define MAGIC2 0x36d76289u

static void tag(uint32_t type, const void *bytes, uint32_t n)
{
	const uint32_t head[] = { type, n + 8 };

	put(head, sizeof head);
	put(bytes, n);
	put32(0, used);
}

static void build2(void)
{
	const uint32_t map[] = { 24, 0, 0x100000, 0, 0x7f00000, 0, 1, 0, 0, 0x1, 0x0, 1, 3, 0 };
	const uint32_t frame[] = { 0xc0000000, 1,     4096, 1024, 768, 0x120 /* 32 bits, RGB */,
				   0x08080810, 0x0800 };
	const char rsdp[36] = "RSD PTR ";

	start_over();
	used = 8;
	tag(1, "seed=3", 7);
	tag(2, "GRUB 2.06", 10);
	tag(6, map, sizeof map);
	tag(8, frame, sizeof frame);
	tag(15, rsdp, sizeof rsdp);
	tag(12, "12345678", 8);
	tag(0, "", 0);
}

TEST(multiboot2_tags)
{
	build2();
	boot_info_read(MAGIC2, BASE);
	CHECK(!boot_info.problem);
	CHECK_TEXT(boot_info.command_line, "seed=3");
	CHECK_NUMBER(boot_info.memory_ranges, 2);
	CHECK_NUMBER(boot_info.memory[0].end, 0x8000000);
	CHECK_NUMBER(boot_info.memory[1].kind, MEMORY_ACPI);
	CHECK_NUMBER(boot_info.framebuffer.address, 0x1c0000000);
	CHECK_NUMBER(boot_info.framebuffer.width, 1024);
	CHECK_NUMBER(boot_info.framebuffer.bits, 32);
	CHECK_NUMBER(boot_info.framebuffer.red.shift, 16);
	CHECK_NUMBER(boot_info.framebuffer.green.shift, 8);
	CHECK_NUMBER(boot_info.framebuffer.blue.bits, 8);
	CHECK(boot_info.efi && memcmp(boot_info.rsdp, "RSD PTR ", 8) == 0);
}

TEST(multiboot2_tag_sizes_that_make_no_sense)
{
	build2();
	put32(12, 3); /* smaller than a tag */
	boot_info_read(MAGIC2, BASE);
	CHECK(boot_info.problem != NULL);
	build2();
	put32(12, 0xfffffff8); /* larger than all tags */
	boot_info_read(MAGIC2, BASE);
	CHECK(boot_info.problem != NULL);
	build2();
	put32(0, 0xffffffff); /* all tags: larger than sense */
	boot_info_read(MAGIC2, BASE);
	CHECK(boot_info.problem != NULL);
}

TEST(not_a_multiboot_loader)
{
	start_over();
	boot_info_read(0x12345678, BASE);
	CHECK(boot_info.problem != NULL);
	CHECK_TEXT(boot_info.protocol, "n/a");
}

/* Whatever is damaged, it is read within bounds (the sanitizers watch) and ends. */
TEST(damaged_loader_data_does_no_harm)
{
	struct random r = random_seeded(1);

	for (unsigned i = 0; i < 20000; i++) {
		if (i & 1)
			build2();
		else
			build1(0xffff, "a=1", "GRUB");
		for (unsigned n = 0; n < 4; n++)
			memory[random_below(&r, used)] = (uint8_t)random_next(&r);
		boot_info_read(i & 1 ? MAGIC2 : MAGIC1, BASE);
		for (size_t j = 0; j < boot_info.memory_ranges; j++)
			CHECK(boot_info.memory[j].start < boot_info.memory[j].end);
	}
}
