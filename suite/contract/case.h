/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One case of the contract suite: a size and where each side lies. Next to no mapping
 * is changed between cases: an area has an unmapped page hard against both ends, so
 * a buffer that hangs over the end of its area by some bytes faults at exactly the
 * byte where the area ends.
 *
 *	 unmapped |<------------------ area ------------------>| unmapped
 *	          |  poison |to|<------ n ------>|  poison     |          to=3
 *	          |                              |<---- n ---->|          to_end=n
 *	          |                                   |<-- F --|-->|      to_end=F
 *	       |<-|-- n ------>|                               |          to_begin=K
 *
 * Others have pages of another kind from CASE_SPECIAL on: to_ro=F, to_demand=F, and
 * from_demand=F lie so that their byte F is the first of them.
 */
#ifndef SUITE_CONTRACT_CASE_H
#define SUITE_CONTRACT_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum side { TO, FROM, SIDES };

enum place {
	PLACE_INSIDE,       /* amid poison; at: address modulo CASE_ALIGNMENTS */
	PLACE_END,          /* at: the byte that the area ends before; n: it just fits */
	PLACE_LARGE,        /* as PLACE_END; the area ends with a page of 2 or 4 MiB */
	PLACE_BEGIN,        /* at: the first byte that the area holds; 0: it just fits */
	PLACE_READ_ONLY,    /* at: the first byte that cannot be written (to) */
	PLACE_DEMAND,       /* at: the first byte that is mapped when it is touched */
	PLACE_NONCANONICAL, /* at: bytes after the first address that is not canonical */
	PLACE_KERNEL,       /* at: as PLACE_INSIDE, in kernel memory, where user memory is due */
	PLACE_WRAP,         /* at: the byte that lies at address 0 */
	PLACE_ABOVE,        /* at: bytes from the start of `to` up to that of `from` */
	PLACE_BELOW         /* at: ... down */
};

struct placement {
	enum place place;
	uint32_t at;
};

struct contract_case {
	size_t n;
	struct placement side[SIDES];
};

#define CASE_ALIGNMENTS 64u
#define CASE_POISON     256u   /* bytes checked on both sides of a destination */
#define CASE_SIZE_MAX   65537u /* no buffer is larger */
#define CASE_SPECIAL    32768u /* where special pages begin in their area; there are two */
#define CASE_SPECIALS   8192u
/* What an area must hold for any case: poison, alignment, buffer, poison, in whole pages. */
#define CASE_AREA_BYTES                                                                            \
	((CASE_SIZE_MAX + 2 * CASE_POISON + CASE_ALIGNMENTS + 4095u) / 4096u * 4096u)

/* Offset of the buffer's byte 0 from the start of its area; negative for PLACE_BEGIN. Of no
 * meaning for PLACE_NONCANONICAL and PLACE_WRAP, which lie in none. */
ptrdiff_t case_offset(const struct contract_case *c, enum side side);

/* Bytes of the side's buffer that a forward copy reaches: n where nothing is missing. What
 * must be refused is not reached. */
size_t case_reachable(const struct contract_case *c, enum side side);

/* The side's address modulo CASE_ALIGNMENTS. A fault position fixes it. */
uint32_t case_alignment(const struct contract_case *c, enum side side);

/* The buffers lie inside their areas, as far as they are there at all. */
bool case_fits(const struct contract_case *c);

/* A byte of the buffer is missing, so a copy of all of it must fault. */
bool case_faults(const struct contract_case *c);

/* "n=67,to=3,from_end=64": what case= takes after the form's name and a colon. */
#define CASE_TEXT_MAX 64
void case_print(const struct contract_case *c, char text[CASE_TEXT_MAX]);
/* False, with the word that is wrong in *bad, where it is no case. */
bool case_parse(const char *text, struct contract_case *c, const char **bad);

/*
 * The smallest case that still fails, as far as greedy steps find it: smaller n,
 * then lower alignments, positions nearer to an end, and plainer placements.
 * fails() is asked at most `budget` times; *c must fail.
 */
void case_shrink(struct contract_case *c, bool (*fails)(const struct contract_case *, void *),
		 void *context, unsigned budget);

#endif
