/* SPDX-License-Identifier: BSD-2-Clause */
/* A local socket: what is sent waits in a chain of buffers until it is received. */
#ifndef SUITE_WORLD_SOCKET_H
#define SUITE_WORLD_SOCKET_H

#include "suite/machine.h"
#include "suite/world/access.h"

/* At the start of a page of its own, the data behind it: so a buffer starts on a line,
 * and its size is a multiple of one. */
struct socket_buffer {
	struct socket_buffer *next;
	uint32_t start, end; /* what is in it, from `data` on */
	uint8_t data[] __attribute__((aligned(64)));
};
#define SOCKET_BUFFER_BYTES (MACHINE_PAGE - (uint32_t)sizeof(struct socket_buffer))
#define SOCKET_BUFFERS      32u

struct socket {
	struct socket_buffer *first, *last; /* the chain */
	struct socket_buffer *spare;
};

/* False with the reason. */
bool socket_open(struct socket *socket, const char **why);
void socket_close(struct socket *socket);

/* The number of bytes: fewer than n when the buffers are full, or empty, or at a copy that
 * is not complete. */
size_t socket_send(struct socket *socket, const struct user_copy *copy, uintptr_t from, size_t n);
size_t socket_recv(struct socket *socket, const struct user_copy *copy, uintptr_t to, size_t n);

#endif
