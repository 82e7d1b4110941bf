/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the core does while a block of samples is taken (docs/METHOD.md): how fast
 * it runs against the TSC, and whether another thread shares it. Looked at before
 * and after each block; a block in which either changed is thrown away.
 */
#ifndef SUITE_CORE_H
#define SUITE_CORE_H

#include <stdbool.h>
#include <stdint.h>

struct core_state {
	uint64_t chain;   /* thousandths of TSC ticks for PROBE_LENGTH dependent additions */
	uint64_t nops;    /* the same for PROBE_LENGTH nops */
	uint64_t counted; /* core cycles, where the machine counts them */
	uint64_t tsc;     /* when that was read */
};

enum core_verdict {
	CORE_STEADY,
	CORE_CLOCK, /* the clock moved by over 0.5 % */
	CORE_SHARED /* the front end was slower than this core's best by over 5 % */
};

/* Whether there is a core to look at: not under an emulator, whose cycles mean
 * nothing. Where false, no block is judged and no cycles are known. */
bool core_known(void);

/* About 60 microseconds. */
void core_look(struct core_state *state);

enum core_verdict core_judge(const struct core_state *before, const struct core_state *after);

/* Core cycles, in thousandths, that probe_chain() takes by the kind of core it is. */
uint64_t core_chain_cycles(void);

/* Thousandths of core cycles in `ticks` thousandths of ticks at that clock. */
uint64_t core_cycles(uint64_t ticks, const struct core_state *state);

/*
 * The core's clock over a block, as what probe_chain() would have taken: by the
 * machine's count of cycles where it has one, else by the chain after the block.
 */
uint64_t core_chain(const struct core_state *before, const struct core_state *after);

/* Where cycles come from: "counter", "aperf" or "chain"; "none". */
const char *core_source(void);

/* The core's clock now, in Hz: 0 where it or the TSC's frequency is not known. */
uint64_t core_hz(void);

#endif
