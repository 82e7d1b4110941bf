/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands beside a copy: a stream of loads and one of stores, by the widest vectors
 * that this CPU has. In cached memory a copy can hardly be faster than the slower of them;
 * one that stores past the cache can. */
#ifndef SUITE_STREAMS_H
#define SUITE_STREAMS_H

#include "suite/registry.h"

enum stream { STREAM_READ, STREAM_WRITE, STREAMS };

/* To be measured as a plain form; n must be a multiple of its alignment. NULL where
 * the CPU has no vectors. */
const struct form *stream_form(enum stream stream);

#endif
