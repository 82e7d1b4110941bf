/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's own limits beside a copy: a stream of loads and one of stores, by the
 * widest vectors that this CPU has. */
#ifndef SUITE_LIMIT_H
#define SUITE_LIMIT_H

#include "suite/registry.h"

enum stream { STREAM_READ, STREAM_WRITE, STREAMS };

/* To be measured as a plain form; n must be a multiple of its alignment. NULL where
 * the CPU has no vectors. */
const struct form *limit_form(enum stream stream);

#endif
