/* SPDX-License-Identifier: BSD-2-Clause */
/* A fault in words. */
#ifndef SUITE_REPORT_H
#define SUITE_REPORT_H

#include "suite/machine.h"

struct report_text {
	char text[200];
};

/* In one line: "#PF: write to 0xc0001000, not present, at rep_movsb.to_user+0x1c". */
struct report_text report_summary(const struct fault *fault);

/* All that is known, as text lines of the record. */
void report_fault(const struct fault *fault);

#endif
