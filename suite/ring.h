/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What loading a line costs, by where it lies: chases along pointers that the lines
 * themselves hold, in an order that no prefetcher follows.
 */
#ifndef SUITE_RING_H
#define SUITE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RING_CHASE 16u /* lines loaded in one reading of the clock */

/* Bytes from one line to the next: the CPU's line. */
size_t ring_line(void);

/* Ticks for RING_CHASE dependent loads, the first at `first`, less the empty bracket.
 * What follows on must be linked: a shorter ring is gone round. */
uint64_t ring_chase(const void *first);

/* Memory for rings of up to this size. */
bool ring_map(size_t bytes, const char **why);
void ring_unmap(void);

/*
 * Ticks for RING_CHASE loads along a ring through all lines of the first `bytes`
 * bytes, each of which has been walked twice before; or, with `flushed`, been put
 * into memory. In thousandths.
 */
uint64_t ring_latency(size_t bytes, bool flushed);

#endif
