/* SPDX-License-Identifier: BSD-2-Clause */
#include "lib/string.h"

#include <stdint.h>

/* Else gcc makes a call of memcpy() out of memcpy()'s own loop, and of strlen() too. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

#if defined(__x86_64__)
#define REP_MOVS_WORD "rep movsq"
#else
#define REP_MOVS_WORD "rep movsl"
#endif

/* By words: before Ivy Bridge, and under an emulator, each step costs the same whatever its
 * width. */
void *memcpy(void *to, const void *from, size_t n)
{
	void *start = to;
	size_t words = n / sizeof(uintptr_t), bytes = n % sizeof(uintptr_t);

	__asm__ volatile(REP_MOVS_WORD : "+D"(to), "+S"(from), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
	return start;
}

void *memmove(void *to, const void *from, size_t n)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if ((uintptr_t)to - (uintptr_t)from >= n)
		return memcpy(to, from, n);
	while (n--)
		t[n] = f[n];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	void *start = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(byte) : "memory");
	return start;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i] != b[i])
			return (uint8_t)a[i] - (uint8_t)b[i];
		if (!a[i])
			break;
	}
	return 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}
