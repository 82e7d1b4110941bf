/* SPDX-License-Identifier: BSD-2-Clause */
/* cpus=N: how many CPUs a machine may use, of those that it has. */
#ifndef LIB_CPUS_H
#define LIB_CPUS_H

#include <stdbool.h>

#define CPUS_MAX 32u

unsigned cpus_wanted(void);
/* cpus= was given. */
bool cpus_limited(void);

#endif
