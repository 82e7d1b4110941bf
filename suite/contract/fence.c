/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/fence.h"

#include "lib/string.h"

/* SDM volume 2. A store's ModRM byte has an operand in memory, so its top bits are not
 * 11; those of a fence are, and that is what tells it from others of group 15. */
static bool is_store(const uint8_t *opcode, size_t left)
{
	return left >= 2 && (opcode[0] == 0xc3 || opcode[0] == 0xe7 || opcode[0] == 0x2b) &&
	       opcode[1] < 0xc0;
}

static bool is_vector_store(const uint8_t *opcode, size_t left)
{
	return is_store(opcode, left) && opcode[0] != 0xc3;
}

/* APM volume 3, CLZERO: weakly ordered, as a streaming store. */
static bool is_clzero(const uint8_t *code, size_t left)
{
	return left >= 3 && code[1] == 0x01 && code[2] == 0xfc;
}

static bool is_direct_store(const uint8_t *code, size_t left)
{
	return left >= 4 && code[1] == 0x38 && (code[2] == 0xf8 || code[2] == 0xf9) &&
	       code[3] < 0xc0;
}

/* The prefix that starts an instruction of these, and how many bytes on its opcode is. */
static bool is_weak_store(const uint8_t *code, size_t left)
{
	switch (code[0]) {
	case 0x0f:
		return is_store(code + 1, left - 1) || is_direct_store(code, left) ||
		       is_clzero(code, left);
	case 0xc5: /* VEX of two bytes: its second has vvvv = 1111 where there is no register */
		return left > 2 && (code[1] & 0x78) == 0x78 && is_vector_store(code + 2, left - 2);
	case 0xc4: /* of three: map 0Fh */
		return left > 3 && (code[1] & 0x1f) == 1 && (code[2] & 0x78) == 0x78 &&
		       is_vector_store(code + 3, left - 3);
	case 0x62: /* EVEX: map 0Fh */
		return left > 4 && (code[1] & 7) == 1 && (code[2] & 0x7c) == 0x7c &&
		       is_vector_store(code + 4, left - 4);
	default:
		return false;
	}
}

static bool is_fence(const uint8_t *code, size_t left)
{
	return left >= 3 && code[0] == 0x0f && code[1] == 0xae && code[2] >= 0xf0;
}

/* Whether the address of something in `data` starts here: relative to where it ends or, in
 * 64-bit code, to where an immediate of up to 4 bytes after it does; absolute in 32-bit code. */
static bool is_address(const uint8_t *code, size_t left, const void *data, size_t size)
{
	int32_t word;
	if (left < sizeof(word))
		return false;
	memcpy(&word, code, sizeof(word));
	uintptr_t address = (uintptr_t)(intptr_t)word;
	if (sizeof(address) > sizeof(word))
		address += (uintptr_t)code + sizeof(word);
	return address - (uintptr_t)data + 4 < size + 4;
}

bool fence_missing(const uint8_t *code, size_t n, const void *data, size_t size)
{
	bool stores = false;
	for (size_t i = 0; i < n; i++) {
		if (is_address(code + i, n - i, data, size)) {
			i += 3;
			continue;
		}
		if (is_fence(code + i, n - i))
			return false;
		stores = stores || is_weak_store(code + i, n - i);
	}
	return stores;
}

bool code_flushes(const uint8_t *code, size_t n)
{
	for (size_t i = 0; i + 2 < n; i++)
		if (code[i] == 0x0f && code[i + 1] == 0xae && (code[i + 2] & 0x38) == 0x38 &&
		    code[i + 2] < 0xc0)
			return true;
	return false;
}
