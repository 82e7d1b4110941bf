/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The contract itself: what may have happened to the destination when a routine
 * returned a residue. Pure: it looks at memory and at the outcome, nothing else.
 *
 * Source bytes are 1..127, what lay in the destination before is 128..255, and
 * zeroing leaves 0: so of every byte it can be said where it came from.
 */
#ifndef SUITE_CONTRACT_JUDGE_H
#define SUITE_CONTRACT_JUDGE_H

#include "suite/machine.h"
#include "suite/registry.h"

enum breach {
	/* by either grade */
	BREACH_GAVE_UP = 1u << 0,  /* a fault without an entry, a kernel fault, or it hung */
	BREACH_STATE = 1u << 1,    /* registers, flags or FPU state not kept */
	BREACH_RESIDUE = 1u << 2,  /* above n, or not 0 though nothing was in the way */
	BREACH_CLAIM = 1u << 3,    /* claims bytes that could not be reached */
	BREACH_BYTES = 1u << 4,    /* a claimed byte is not the source's */
	BREACH_OUTSIDE = 1u << 5,  /* a store outside [to, to + n) */
	BREACH_SOURCE = 1u << 6,   /* the source was changed */
	BREACH_NOT_ZERO = 1u << 7, /* a zeroing form left a residue byte */
	BREACH_REST = 1u << 8,     /* a residue byte is neither as it was nor the source's */
	BREACH_SUM = 1u << 9,      /* not the checksum of the claimed bytes */
	/* by the literal grade only */
	BREACH_STRAY = 1u << 10,  /* source bytes stored past n - residue */
	BREACH_NOTHING = 1u << 11 /* "nothing copied" although a byte could have been */
};
#define BREACHES         12
#define BREACH_UNSAFE    (BREACH_STRAY - 1u)
#define BREACH_UNLITERAL (BREACH_UNSAFE | BREACH_STRAY | BREACH_NOTHING)

/* Memory around a call, all through addresses that the suite may read. Offsets count
 * from byte 0 of the buffer, which itself need not exist. */
struct scene {
	size_t n;
	size_t reachable; /* bytes a forward copy can move */
	bool zeroes;
	uint32_t files;             /* enum fpu_file that the routine may change */
	bool csum;                  /* the second result has to be a checksum */
	const uint8_t *to;          /* the destination now ... */
	const uint8_t *prior;       /* ... and as it was */
	ptrdiff_t to_begin, to_end; /* what to look at: the part that exists, with poison */
	const uint8_t *from;        /* the source now ... */
	const uint8_t *original;    /* ... and as it was; readable where `from` is missing too */
	ptrdiff_t from_begin, from_end;
};

struct verdict {
	uint32_t breaches; /* enum breach */
	size_t slack;      /* bytes that could have been moved and are not claimed */
	bool located;      /* the three below say where a byte was wrong */
	ptrdiff_t offset;  /* in the destination (in the source for BREACH_SOURCE) */
	uint8_t expected, got;
};

void judge(const struct scene *s, const struct outcome *o, struct verdict *v);

static inline bool verdict_holds(const struct verdict *v, enum grade grade)
{
	return !(v->breaches & (grade == GRADE_SAFE ? BREACH_UNSAFE : BREACH_UNLITERAL));
}

/* What enum breach number `bit` means, for people. */
const char *breach_text(unsigned bit);

#endif
