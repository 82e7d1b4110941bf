/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An experiment of the small world: what a program's reads, writes or messages cost when
 * one side of the copy lies at each of some offsets, by the published routines and by the
 * others; printed in the shape of the published table, with its figures beside.
 */
#ifndef SUITE_WORLD_SWEEP_H
#define SUITE_WORLD_SWEEP_H

#include "suite/experiment.h"
#include "suite/world/world.h"

struct sweep_column {
	const char *routine;        /* ours */
	const char *seconds, *rate; /* columns of the published table; rate may be NULL */
};

struct sweep_part {
	const char *title; /* what is done, for people */
	const char *keys;  /* of the benchmark lines: a format for the offset */
	const char *row;   /* what the offset is of */
	const char *id;    /* of the part, in summaries */
	user_program *program;
	bool moves_file;  /* the offset is the file's; else the buffers' */
	bool second_half; /* of the file: what writes keeps away from what only reads */
	unsigned counted; /* chunks that count as copied, of one round of calls */

	const char *history;     /* file of the published figures, or NULL */
	const char *history_row; /* a format for the offset */
	uint64_t amount;         /* bytes that the published seconds are for */
	const struct sweep_column *columns;
	unsigned column_count;
};

struct sweep {
	const char *name;
	size_t file_bytes;     /* as published: less where memory or patience is short; 0: none */
	const char *file_said; /* the same in words */
	bool dense;            /* every offset from 0 to 32 in suite=standard too */
	bool others;           /* the other routines as well */
	const struct sweep_part *parts;
	unsigned part_count;
};

enum experiment_result sweep_run(const struct sweep *sweep);

#endif
