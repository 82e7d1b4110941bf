/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/machine.h"

#include "tests/unit/cpuid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *machine_lines[MACHINE_LINES_MAX];
size_t machine_line_count;
const struct cpuid_table *machine_table;

void machine_write_line(const char *text, size_t length)
{
	if (machine_line_count == MACHINE_LINES_MAX) {
		fprintf(stderr, "more than %d lines\n", MACHINE_LINES_MAX);
		exit(2);
	}
	machine_lines[machine_line_count++] = strndup(text, length);
}

void machine_forget(void)
{
	while (machine_line_count)
		free(machine_lines[--machine_line_count]);
}

bool machine_wrote(const char *line)
{
	for (size_t i = 0; i < machine_line_count; i++)
		if (strcmp(machine_lines[i], line) == 0)
			return true;
	return false;
}

bool machine_wrote_start(const char *start)
{
	for (size_t i = 0; i < machine_line_count; i++)
		if (strncmp(machine_lines[i], start, strlen(start)) == 0)
			return true;
	return false;
}

struct cpuid_regs machine_cpuid(uint32_t leaf, uint32_t subleaf)
{
	return machine_table ? cpuid_table_read(machine_table, leaf, subleaf)
			     : (struct cpuid_regs){ 0 };
}

uint64_t machine_xcr0(void)
{
	return machine_table ? machine_table->xcr0 : 0;
}

const struct machine_identity *machine_identity(void)
{
	static const struct machine_identity identity = { .firmware = "bios",
							  .microcode = "n/a",
							  .memory_bytes = 512u << 20,
							  .cpus_online = 4,
							  .cpus_used = 1 };

	return &identity;
}

const struct machine_clock *machine_clock(void)
{
	static const struct machine_clock clock = {
		.tsc_hz = 2100000000, .source = "hpet", .cross = "pit", .ppm = 12, .tsc_step = 21
	};

	return &clock;
}

uint32_t machine_can(void)
{
	return CAN_RING0;
}

uintptr_t machine_user_limit(void)
{
	return 0x7ffffffff000;
}

/* A program of one function, 256 bytes long. */
const char *machine_symbol(uintptr_t ip, uintptr_t *offset)
{
	*offset = ip - 0x1000;
	return ip >= 0x1000 && ip < 0x1100 ? "rep_movsb.to_user" : NULL;
}

size_t machine_pages_out, machine_pages_most = SIZE_MAX;

uint8_t *machine_page_take(void)
{
	if (machine_pages_out == machine_pages_most)
		return NULL;
	machine_pages_out++;
	return aligned_alloc(MACHINE_PAGE, MACHINE_PAGE);
}

void machine_page_give(uint8_t *page)
{
	machine_pages_out--;
	free(page);
}

bool machine_area_map(enum area_kind kind, enum area_access access, size_t size, struct area *out,
		      const char **why)
{
	(void)access, (void)why;
	uint8_t *bytes = calloc(1, size);
	*out = (struct area){ .base = bytes, .alias = bytes, .size = size, .kind = kind };
	return true;
}

void machine_area_unmap(struct area *area)
{
	free(area->base);
	*area = (struct area){ 0 };
}
