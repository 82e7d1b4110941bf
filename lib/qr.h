/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LIB_QR_H
#define LIB_QR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * QR codes of one kind (ISO/IEC 18004): version 20, error correction level L,
 * alphanumeric. Large enough for a record in a few of them, small enough for a photo of
 * a screen. A reader wants QR_QUIET empty modules on each side.
 */
#define QR_SIZE     97u
#define QR_QUIET    4u
#define QR_TEXT_MAX 1249u

/* n characters of "0-9A-Z $%*+-./:", at most QR_TEXT_MAX; dark modules are true. False
 * where there is another character or too many. */
bool qr_encode(const char *text, size_t n, bool dark[QR_SIZE][QR_SIZE]);

#endif
