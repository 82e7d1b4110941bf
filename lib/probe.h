/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pieces of code whose cost tells what a CPU is or does, to be timed as routines are
 * (timed_calls). What they return means nothing.
 */
#ifndef LIB_PROBE_H
#define LIB_PROBE_H

#include <stddef.h>

#define PROBE_LENGTH 1000
#define PROBE_MOVES  128

/*
 * PROBE_LENGTH additions, each of which needs the one before: a core cycle each
 * (half of one on the first Pentium 4s, whose adders run at twice the clock). It shows the
 * core's clock against the TSC, and nothing slows it but a lower clock or an
 * interruption.
 */
size_t probe_chain(void *to, const void *from, size_t n);

/*
 * PROBE_LENGTH nops: as many cycles as the front end needs. They slow down when
 * another thread shares the core, which the chain does not show.
 */
size_t probe_nops(void *to, const void *from, size_t n);

/*
 * PROBE_MOVES words from `from` to `to`, a load and a store each. They slow down when another
 * thread of the core works on memory or waits for it, which the nops do not show: it has its
 * half of what loads and stores wait in.
 */
size_t probe_moves(void *to, const void *from, size_t n);

/*
 * Follows n > 0 pointers, each at the address that the one before it holds; the
 * first is at `from`. Where the lines lie shows in the time: none can be fetched
 * before the one before it has come.
 */
size_t probe_chase(void *to, const void *from, size_t n);

/*
 * 64 KiB of code, once through: what the cache of micro-operations held of other code is gone
 * after it (the largest, of Zen 4 and 5, have 64 sets of 12 or 16 lines), and so is what the
 * nearest cache of instructions held.
 */
size_t probe_code(void *to, const void *from, size_t n);

/*
 * A thousand branches that are taken by chance, from the seed n: what the branch predictors
 * had learnt of other code, and by what history they would find it, is gone after them. Returns
 * the seed to go on with.
 */
size_t probe_branches(void *to, const void *from, size_t n);

#endif
