/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the core does while samples are taken (docs/METHOD.md): how fast it runs against the TSC,
 * looked at before and after each block of samples, and whether another thread shares it, looked
 * at before and after each piece that is timed.
 */
#ifndef SUITE_CORE_H
#define SUITE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#define CORE_PROBES 2u /* the front end, and the way to the nearest cache */

struct core_state {
	uint64_t chain;   /* thousandths of TSC ticks for PROBE_LENGTH dependent additions */
	uint64_t counted; /* core cycles, where the machine counts them */
	uint64_t tsc;     /* when that was read */
	uint64_t least[CORE_PROBES]; /* of core_alone() since the look before, in thousandths */
};

/* Whether there is a core to look at: not under an emulator, whose cycles mean
 * nothing. Where false, nothing is judged and no cycles are known. */
bool core_known(void);

/* The clock: about 60 microseconds. */
void core_look(struct core_state *state);

/* Whether the clock moved by no more than 0.5 % between two looks, one after the other. */
bool core_steady(const struct core_state *before, const struct core_state *after);

/*
 * Whether the core is all ours, now: what it needs for nops is within 10 % of the best that was
 * ever seen, and what it needs for moves within 25 %, at the clock of the last look. About a
 * microsecond. True where no other thread can be on it, or where it is not known.
 */
bool core_alone(void);

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
