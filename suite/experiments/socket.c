/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Athlon, November 2002: a program sends to itself over a local socket, so that each byte
 * is copied into the kernel's buffers and out again; both of its buffers lie at the same
 * offset.
 */
#include "suite/world/sweep.h"

static const struct sweep_column columns[] = {
	{ "rep_movsl", "stock_s", "stock_MBps" },
	{ "k7_movntq", "k7_s", "k7_MBps" },
};

static const struct sweep_part parts[] = {
	{
		.title = "4 MB sent and received (counted once), both buffers dst bytes after a "
			 "page boundary",
		.keys = "dst=%u",
		.id = "both",
		.row = "dst",
		.program = program_socket,
		.counted = 1,
		.history = "2002-k7-socket",
		.history_row = "0x846e000+%u",
		.amount = 4000000,
		.columns = columns,
		.column_count = sizeof(columns) / sizeof(columns[0]),
	},
};

static const struct sweep sweep = {
	.name = "socket",
	.others = true,
	.parts = parts,
	.part_count = sizeof(parts) / sizeof(parts[0]),
};

static enum experiment_result run(void)
{
	return sweep_run(&sweep);
}
EXPERIMENT(socket, "socket", "sending and receiving over a local socket", 0, run);
