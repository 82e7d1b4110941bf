/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/fence.h"

#include "tests/unit/test.h"

#include <string.h>

static bool missing(const char *text)
{
	return fence_missing((const uint8_t *)text, strlen(text), NULL, 0);
}

TEST(weak_stores_want_a_fence)
{
	CHECK(missing("\x0f\xc3\x07\xc3"));              /* movnti [rdi], eax */
	CHECK(missing("\x48\x0f\xc3\x47\x08"));          /* movnti [rdi + 8], rax */
	CHECK(missing("\x0f\xe7\x07"));                  /* movntq [rdi], mm0 */
	CHECK(missing("\x66\x0f\xe7\x07"));              /* movntdq [rdi], xmm0 */
	CHECK(missing("\x0f\x2b\x07"));                  /* movntps [rdi], xmm0 */
	CHECK(missing("\xc5\xfd\xe7\x07"));              /* vmovntdq [rdi], ymm0 */
	CHECK(missing("\xc4\xc1\x7d\xe7\x01"));          /* vmovntdq [r9], ymm0 */
	CHECK(missing("\x62\xf1\x7d\x48\xe7\x07"));      /* vmovntdq [rdi], zmm0 */
	CHECK(missing("\x0f\x38\xf9\x07"));              /* movdiri [rdi], eax */
	CHECK(missing("\x66\x0f\x38\xf8\x06"));          /* movdir64b rax, [rsi] */
	CHECK(missing("\x0f\x01\xfc"));                  /* clzero */
	CHECK(!missing("\x0f\xc3\x07\x0f\xae\xf8\xc3")); /* sfence */
	CHECK(!missing("\x0f\xc3\x07\x0f\xae\xf0\xc3")); /* mfence */
	CHECK(missing("\x0f\xc3\x07\x0f\xae\xe8\xc3"));  /* lfence orders no stores */
}

TEST(other_code_wants_no_fence)
{
	CHECK(!missing("\xf3\xa4\x48\x89\xc8\xc3")); /* rep movsb; mov rax, rcx; ret */
	CHECK(!missing("\x0f\xe7\xc0"));             /* no operand in memory */
	CHECK(!missing("\xc5\xfd\x7f\x07"));         /* vmovdqa [rdi], ymm0 */
	CHECK(!fence_missing((const uint8_t *)"\x0f\xc3", 2, NULL, 0)); /* the code ends there */
	CHECK(!fence_missing(NULL, 0, NULL, 0));
}

TEST(an_address_is_not_code)
{
	static const uint8_t call[] = "\xff\x15\x0f\x2b\x0a";        /* call [rip + 0xa2b0f] */
	static const uint8_t compare[] = "\x83\x3d\x0f\x2b\x0a\x00"; /* cmp dword, 0 */
	uintptr_t from = sizeof(void *) == 8 ? (uintptr_t)call : -(uintptr_t)sizeof(call);
	const void *data = (const void *)(from + sizeof(call) + 0xa2b0f);

	CHECK(fence_missing(call, sizeof(call), NULL, 0));
	CHECK(!fence_missing(call, sizeof(call), data, 8));
	CHECK(fence_missing(call, sizeof(call), (const uint8_t *)data + 8, 8));
	from = sizeof(void *) == 8 ? (uintptr_t)compare : -(uintptr_t)sizeof(compare);
	data = (const void *)(from + sizeof(compare) + 0xa2b0f);
	CHECK(!fence_missing(compare, sizeof(compare), data, 8));
}

TEST(flushes_are_found)
{
	CHECK(code_flushes((const uint8_t *)"\x66\x0f\xae\x3b\xc3", 5));  /* clflushopt [rbx] */
	CHECK(code_flushes((const uint8_t *)"\x0f\xae\x3b\xc3", 4));      /* clflush [rbx] */
	CHECK(!code_flushes((const uint8_t *)"\x66\x0f\xae\x33\xc3", 5)); /* clwb [rbx] */
	CHECK(!code_flushes((const uint8_t *)"\x0f\xae\xf8\xc3", 4));     /* sfence */
	CHECK(!code_flushes((const uint8_t *)"\x0f\xae", 2));
}
