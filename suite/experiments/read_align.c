/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pentium III, October 2002: a program reads a cached file of 1 GiB through one buffer of
 * 8 KiB, whose alignment decides whether rep movsd is fast or not. The poster asked for
 * the same with the source misaligned; so it follows.
 */
#include "suite/world/sweep.h"

static const struct sweep_column columns[] = {
	{ "rep_movsl", "rep_movsl", NULL },
	{ "int_unrolled", "int_unless_8aligned", NULL },
	{ "int_unrolled_always", "int_always", NULL },
};

static const struct sweep_part parts[] = {
	{
		.title = "seconds for 1 GiB by reads of 8192 bytes, the buffer dst bytes after a "
			 "page boundary",
		.keys = "dst=%u/src=0",
		.id = "dst",
		.row = "dst",
		.program = program_read,
		.counted = 1,
		.history = "2002-p3-read-alignment",
		.history_row = "%u",
		.amount = (uint64_t)1 << 30,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
	},
	{
		.title = "the same, the buffer at a page boundary and the file read from src bytes "
			 "after one",
		.keys = "dst=0/src=%u",
		.id = "src",
		.row = "src",
		.program = program_read,
		.moves_file = true,
		.counted = 1,
		.amount = (uint64_t)1 << 30,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
	},
};

static const struct sweep sweep = {
	.name = "read-align",
	.file_bytes = (size_t)1 << 30,
	.file_said = "1 GiB",
	.dense = true,
	.parts = parts,
	.part_count = sizeof(parts) / sizeof(parts[0]),
};

static enum experiment_result run(void)
{
	return sweep_run(&sweep);
}
EXPERIMENT(read_align, "read-align", "reading a cached file, against the buffer's alignment", 0,
	   run);
