/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record in memory: a place at a fixed physical address, out of everyone's way, that
 * a warm reboot may well leave as it is. The next boot shows it (last=show). Nobody
 * promises that: so there is a checksum.
 */
#ifndef KERNEL_KEPT_H
#define KERNEL_KEPT_H

#include <stdbool.h>
#include <stddef.h>

/* Takes the place, before its pages can go to anybody else. */
void kept_claim(void);

/* Where last=show is given and a sound record is found, writes it line by line and ends
 * the run with its status. Otherwise keeps this run's record in its place. */
void kept_start(void);

/* A line, after all ways out. Where there is no room for it, a line that says so is kept
 * in its place, and nothing after it. */
void kept_line(const char *text, size_t length);

/* Makes the record in memory valid, and memory up to date with the caches. */
void kept_end(void);

/* The lines so far. *length is 0 where nothing is kept. */
const char *kept_text(size_t *length);

#endif
