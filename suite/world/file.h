/* SPDX-License-Identifier: BSD-2-Clause */
/* A file that lies in the page cache whole: pages of memory, found one by one. */
#ifndef SUITE_WORLD_FILE_H
#define SUITE_WORLD_FILE_H

#include "suite/machine.h"
#include "suite/world/access.h"

struct file {
	struct area index; /* of pointers to its pages */
	size_t pages;
	size_t position; /* of the next read or write */
};

/* Of `pages` pages, or of none, that hold what content.h says. False with the reason. */
bool file_open(struct file *file, size_t pages, const char **why);
void file_close(struct file *file);

/* How many words of [start, start + n), whole pages, are not what content.h says. */
size_t file_wrong(const struct file *file, size_t start, size_t n);

/* Page by page, from the position on, to the end of the file at most; stops at a copy
 * that is not complete. The number of bytes. */
size_t file_read(struct file *file, const struct user_copy *copy, uintptr_t to, size_t n);
size_t file_write(struct file *file, const struct user_copy *copy, uintptr_t from, size_t n);

#endif
