/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Offsets of C structures for NASM. A file offsets.c between OFFSETS_BEGIN and
 * OFFSETS_END is compiled to assembly; the Makefile turns each "->NAME value"
 * line into "%define NAME value". So no offset is ever written twice.
 */
#ifndef LIB_OFFSETS_H
#define LIB_OFFSETS_H

#include <stddef.h>

#define OFFSETS_BEGIN                                                                              \
	void offsets(void);                                                                        \
	void offsets(void)                                                                         \
	{
#define OFFSETS_END                }
#define CONSTANT(name, value)      __asm__ volatile("\n->" #name " %0" : : "i"(value));
#define OFFSET(name, type, member) CONSTANT(name, offsetof(type, member))
#define SIZE(name, type)           CONSTANT(name, sizeof(type))

#endif
