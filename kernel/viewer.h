/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef KERNEL_VIEWER_H
#define KERNEL_VIEWER_H

/*
 * After the run, for ever, where there is a screen: the end of the record, a summary,
 * and the compact record as QR codes, one page after the other, or as the keys of a
 * PS/2 keyboard say. Returns at once where there is none.
 */
void viewer_run(void);

#endif
