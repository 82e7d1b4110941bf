/* SPDX-License-Identifier: BSD-2-Clause */
/* list=copies, experiments or options: what there is, in place of a run. */
#ifndef SUITE_LIST_H
#define SUITE_LIST_H

#include <stdbool.h>

bool list_wanted(void);

/* After registry_start(). */
void list_print(void);

#endif
