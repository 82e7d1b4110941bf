/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small world for the experiments that need the whole way between a program and its
 * kernel: a program in user mode calls, the call checks the program's addresses and
 * copies, page by page, between user memory and a page cache or a socket's buffers.
 * One world at a time.
 */
#ifndef SUITE_WORLD_WORLD_H
#define SUITE_WORLD_WORLD_H

#include "suite/measure.h"
#include "suite/world/access.h"
#include "suite/world/program.h"

#define WORLD_CHUNK 8192u /* bytes that a call of read, write, send or recv moves */

struct world_job {
	const char *entry; /* how calls enter the kernel: machine_user_entry() */
	user_program *program;
	struct user_copy copy;
	unsigned buffer_offset; /* of the program's buffers, after a page boundary */
	unsigned file_offset;   /* of what it reads and writes */
	unsigned calls;         /* chunks a run of the program (null calls, for those) */
	size_t start, size;     /* the part of the file that its runs go through in turn */
};

/* With a file of so many bytes, which may be 0. False with the reason. */
bool world_open(const char *experiment, size_t file_bytes, const char **why);
void world_close(void);

/* What of it is real here, as text, and what a call costs that does nothing. */
void world_describe(void);

/* Other pages for the program's memory. */
bool world_renew(const char **why);

/* Runs the program with all that it reads compared with what it must be. */
bool world_check(const struct world_job *job, const char **why);

/* What one of its calls takes (one write and one read, or send and recv, where it does
 * both), with everything that belongs to it. `ms` as for measure_operation(). */
bool world_measure(const struct world_job *job, uint32_t ms, struct measured *m, const char **why);

/* Runs one of the programs that do what they must not, with `address` as its buffer; true
 * where it was given up, with its fault. */
bool world_provoke(user_program *program, const void *address, struct fault *fault,
		   const char **why);

/* Words in [start, start + n) of the file that are not what they were at first. */
size_t world_file_wrong(size_t start, size_t n);

struct world_count {
	uint64_t checked;          /* bytes that were compared */
	uint32_t failures;         /* runs that did not end as they must */
	uint64_t own_ticks, ticks; /* of the measured runs: by the program's clock, and outside */
};
const struct world_count *world_count(void);

#endif
