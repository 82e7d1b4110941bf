/* SPDX-License-Identifier: BSD-2-Clause */
/* The contract suite (docs/CONTRACT.md): every chosen form is run against the
 * reference, and judged. */
#ifndef SUITE_CONTRACT_CONTRACT_H
#define SUITE_CONTRACT_CONTRACT_H

#include "suite/registry.h"

/* Runs what the options ask for and prints its TAP lines, between tap_start() and
 * tap_end(). A broken grade that a form claims fails the run. */
void contract_run(void);

/* case=... was given: the run is that one case and nothing else. */
bool contract_one_case(void);

/* Runs a sample of the form's cases later in a run, for one that a table has since led
 * elsewhere, and prints what came of them. Whether it keeps what it claims. */
bool contract_again(const struct form *form, uint64_t cases);

#endif
