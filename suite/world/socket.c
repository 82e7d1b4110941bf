/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/world/socket.h"

static void push(struct socket *socket, struct socket_buffer *buffer)
{
	buffer->next = socket->spare;
	socket->spare = buffer;
}

static struct socket_buffer *pop(struct socket_buffer **list)
{
	struct socket_buffer *buffer = *list;
	if (buffer)
		*list = buffer->next;
	return buffer;
}

bool socket_open(struct socket *socket, const char **why)
{
	*socket = (struct socket){ 0 };
	for (unsigned i = 0; i < SOCKET_BUFFERS; i++) {
		void *page = machine_page_take();
		if (!page) {
			*why = "not enough memory for socket buffers";
			socket_close(socket);
			return false;
		}
		push(socket, page);
	}
	return true;
}

void socket_close(struct socket *socket)
{
	struct socket_buffer *buffer;
	while ((buffer = pop(&socket->first)) || (buffer = pop(&socket->spare)))
		machine_page_give((uint8_t *)buffer);
}

static void append(struct socket *socket, struct socket_buffer *buffer)
{
	buffer->next = NULL;
	if (socket->first)
		socket->last->next = buffer;
	else
		socket->first = buffer;
	socket->last = buffer;
}

size_t socket_send(struct socket *socket, const struct user_copy *copy, uintptr_t from, size_t n)
{
	size_t done = 0, residue = 0;
	while (done < n && !residue) {
		struct socket_buffer *buffer = pop(&socket->spare);
		if (!buffer)
			break;
		size_t part = n - done < SOCKET_BUFFER_BYTES ? n - done : SOCKET_BUFFER_BYTES;
		residue = copy_in(copy, buffer->data, from + done, part);
		done += part - residue;
		buffer->start = 0;
		buffer->end = (uint32_t)(part - residue);
		if (buffer->end)
			append(socket, buffer);
		else
			push(socket, buffer);
	}
	return done;
}

size_t socket_recv(struct socket *socket, const struct user_copy *copy, uintptr_t to, size_t n)
{
	size_t done = 0, residue = 0;
	while (done < n && !residue && socket->first) {
		struct socket_buffer *buffer = socket->first;
		size_t part = buffer->end - buffer->start;
		part = n - done < part ? n - done : part;
		residue = copy_out(copy, to + done, buffer->data + buffer->start, part);
		done += part - residue;
		buffer->start += (uint32_t)(part - residue);
		if (buffer->start == buffer->end)
			push(socket, pop(&socket->first));
	}
	return done;
}
