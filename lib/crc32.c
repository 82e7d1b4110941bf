/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/crc32.h"

uint32_t crc32(uint32_t crc, const void *bytes, size_t n)
{
	/* Half a byte a step: a table of 16 words instead of 256. Entry i is what the
	 * reflected polynomial 0xedb88320 leaves of i after four shifts. */
	static const uint32_t step[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};
	const uint8_t *b = bytes;

	crc = ~crc;
	while (n--) {
		crc ^= *b++;
		crc = crc >> 4 ^ step[crc & 15];
		crc = crc >> 4 ^ step[crc & 15];
	}
	return ~crc;
}
