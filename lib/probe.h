/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two pieces of code whose cost is known from what a CPU is, to be timed as
 * routines are (timed_calls). They ignore their arguments, and what they return means
 * nothing.
 */
#ifndef LIB_PROBE_H
#define LIB_PROBE_H

#include <stddef.h>

#define PROBE_LENGTH 1000

/*
 * PROBE_LENGTH additions, each of which needs the one before: a core cycle each
 * (half of one on NetBurst, whose adders run at twice the clock). It shows the
 * core's clock against the TSC, and nothing slows it but a lower clock or an
 * interruption.
 */
size_t probe_chain(void *to, const void *from, size_t n);

/*
 * PROBE_LENGTH nops: as many cycles as the front end needs. They slow down when
 * another thread shares the core, which the chain does not show.
 */
size_t probe_nops(void *to, const void *from, size_t n);

#endif
