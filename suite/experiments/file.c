/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Athlon, November 2002: a program reads a file of 24 MB from the page cache through one
 * buffer, and writes one and reads it back. What the published 24 MB of the latter count is
 * not told: here all bytes that are copied, written or read.
 */
#include "suite/world/sweep.h"

static const struct sweep_column columns[] = {
	{ "rep_movsl", "stock_s", "stock_MBps" },
	{ "k7_movntq", "k7_s", "k7_MBps" },
};

static const struct sweep_part parts[] = {
	{
		.title = "24 MB read, the buffer dst bytes after a page boundary",
		.keys = "mode=read/dst=%u",
		.id = "read",
		.row = "dst",
		.program = program_read,
		.counted = 1,
		.history = "2002-k7-file-read",
		.history_row = "0x804e00%u",
		.amount = 24000000,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
	},
	{
		.title = "24 MB in all, half of them written, then the same read",
		.keys = "mode=write-read/dst=%u",
		.id = "write-read",
		.row = "dst",
		.program = program_write_read,
		.second_half = true,
		.counted = 2,
		.history = "2002-k7-file-readwrite",
		.history_row = "0x886e00%u",
		.amount = 24000000,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
	},
};

/* Two files: what is only read stays as it was made. */
static const struct sweep sweep = {
	.name = "file",
	.file_bytes = 48u << 20,
	.file_said = "twice 24 MB",
	.others = true,
	.parts = parts,
	.part_count = sizeof(parts) / sizeof(parts[0]),
};

static enum experiment_result run(void)
{
	return sweep_run(&sweep);
}
EXPERIMENT(file, "file", "writing and reading a file in the page cache", 0, run);
