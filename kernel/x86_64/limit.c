/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses that raise #GP or #SS: those that are not canonical (SDM volume 1, 3.3.7.1). */
#include "kernel/arch.h"
#include "suite/machine.h"

uint8_t *machine_noncanonical(const char **why)
{
	*why = NULL;
	return (uint8_t *)0x0000800000000000u;
}

bool segments_limit(uintptr_t to, uintptr_t from)
{
	(void)to, (void)from;
	return false;
}

void segments_flat(void)
{
}
