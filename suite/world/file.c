/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/world/file.h"

#include "suite/world/content.h"

static uint8_t **pages_of(const struct file *file)
{
	return (uint8_t **)file->index.alias;
}

bool file_open(struct file *file, size_t pages, const char **why)
{
	*file = (struct file){ 0 };
	if (!pages)
		return true;
	if (!machine_area_map(AREA_KERNEL, ACCESS_READ_WRITE, pages * sizeof(uint8_t *),
			      &file->index, why))
		return false;
	*why = "not enough memory for the page cache";
	for (; file->pages < pages; file->pages++) {
		uint8_t *page = machine_page_take();
		if (!page) {
			file_close(file);
			return false;
		}
		content_fill(page, MACHINE_PAGE, (uint32_t)(file->pages * MACHINE_PAGE));
		pages_of(file)[file->pages] = page;
	}
	return true;
}

void file_close(struct file *file)
{
	while (file->pages)
		machine_page_give(pages_of(file)[--file->pages]);
	if (file->index.size)
		machine_area_unmap(&file->index);
	*file = (struct file){ 0 };
}

size_t file_wrong(const struct file *file, size_t start, size_t n)
{
	size_t wrong = 0;
	for (size_t at = start; at < start + n; at += MACHINE_PAGE)
		wrong += content_wrong(pages_of(file)[at / MACHINE_PAGE], MACHINE_PAGE,
				       (uint32_t)at);
	return wrong;
}

/* The next stretch within one page. */
static uint8_t *next_part(const struct file *file, size_t wanted, size_t *n)
{
	size_t into = file->position % MACHINE_PAGE, left = MACHINE_PAGE - into;
	if (file->position / MACHINE_PAGE >= file->pages)
		return NULL;
	*n = wanted < left ? wanted : left;
	return pages_of(file)[file->position / MACHINE_PAGE] + into;
}

size_t file_read(struct file *file, const struct user_copy *copy, uintptr_t to, size_t n)
{
	size_t done = 0, part, residue = 0;
	while (done < n && !residue) {
		const uint8_t *from = next_part(file, n - done, &part);
		if (!from)
			break;
		residue = copy_out(copy, to + done, from, part);
		done += part - residue;
		file->position += part - residue;
	}
	return done;
}

size_t file_write(struct file *file, const struct user_copy *copy, uintptr_t from, size_t n)
{
	size_t done = 0, part, residue = 0;
	while (done < n && !residue) {
		uint8_t *to = next_part(file, n - done, &part);
		if (!to)
			break;
		residue = copy_in(copy, to, from + done, part);
		done += part - residue;
		file->position += part - residue;
	}
	return done;
}
