/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/contract/fence.h"

#include "tests/unit/test.h"

#include <string.h>

static bool missing(const char *text)
{
	return fence_missing((const uint8_t *)text, strlen(text));
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
	CHECK(!missing("\x0f\xc3\x07\x0f\xae\xf8\xc3")); /* sfence */
	CHECK(!missing("\x0f\xc3\x07\x0f\xae\xf0\xc3")); /* mfence */
	CHECK(missing("\x0f\xc3\x07\x0f\xae\xe8\xc3"));  /* lfence orders no stores */
}

TEST(other_code_wants_no_fence)
{
	CHECK(!missing("\xf3\xa4\x48\x89\xc8\xc3"));           /* rep movsb; mov rax, rcx; ret */
	CHECK(!missing("\x0f\xe7\xc0"));                       /* no operand in memory */
	CHECK(!missing("\xc5\xfd\x7f\x07"));                   /* vmovdqa [rdi], ymm0 */
	CHECK(!fence_missing((const uint8_t *)"\x0f\xc3", 2)); /* the code ends there */
	CHECK(!fence_missing(NULL, 0));
}
