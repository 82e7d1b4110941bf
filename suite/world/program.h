/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs that run in user mode, and the calls that they know. */
#ifndef SUITE_WORLD_PROGRAM_H
#define SUITE_WORLD_PROGRAM_H

#include "suite/machine.h"

enum world_call {
	CALL_NULL,  /* () -> 0 */
	CALL_CLOCK, /* (address): the time-stamp counter, 8 bytes -> what could not be written */
	CALL_SEEK,  /* (position) -> position */
	CALL_READ,  /* (buffer, n) -> bytes; so are the next three */
	CALL_WRITE,
	CALL_SEND,
	CALL_RECV
};

/* In the program's memory: its arguments, and what it has to tell. */
struct program {
	uintptr_t buffer, second; /* addresses: the second is what the socket is read into */
	size_t chunk;             /* bytes a call, a multiple of 4 */
	size_t position, bytes;   /* of the file, or how much goes through the socket */
	uint32_t checked; /* 1: what is written is made first, and all that was read is compared */
	uint32_t calls;   /* for program_null() */
	uint64_t begin, end; /* around its loop, by its own clock calls */
};

/* All return how many calls fell short and how many words were wrong. */
user_program program_null;       /* null calls */
user_program program_clock;      /* clock calls */
user_program program_read;       /* reads a stretch of the file */
user_program program_write_read; /* writes one, and reads it back */
user_program program_socket;     /* sends and receives */
user_program program_flags;      /* clock calls with DF and AC set; only where user mode is real */

/* These do what a program must not. */
user_program program_peek;       /* reads a byte at `buffer` */
user_program program_privileged; /* turns interrupts on */
user_program program_spin;       /* never returns */

#endif
