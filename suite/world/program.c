/* SPDX-License-Identifier: BSD-2-Clause */
/* This runs in user mode: see USER_CODE in suite/machine.h for what it may not do. */
#include "suite/world/program.h"

#include "suite/world/content.h"

USER_CODE static void begin(user_call *call, struct program *p)
{
	call(CALL_CLOCK, (uintptr_t)&p->begin, 0, 0);
}

USER_CODE static void end(user_call *call, struct program *p)
{
	call(CALL_CLOCK, (uintptr_t)&p->end, 0, 0);
}

/* Bytes at `address` of a chunk `at` bytes into the stretch. */
USER_CODE static void make(const struct program *p, uintptr_t address, size_t at)
{
	if (p->checked)
		content_fill((uint8_t *)address, p->chunk, (uint32_t)(p->position + at));
}

USER_CODE static size_t check(const struct program *p, uintptr_t address, size_t at)
{
	return p->checked ? content_wrong((const uint8_t *)address, p->chunk,
					  (uint32_t)(p->position + at))
			  : 0;
}

USER_CODE uintptr_t program_null(user_call *call, void *argument)
{
	struct program *p = argument;
	uintptr_t wrong = 0;
	begin(call, p);
	for (uint32_t i = 0; i < p->calls; i++)
		wrong += call(CALL_NULL, 0, 0, 0) != 0;
	end(call, p);
	return wrong;
}

USER_CODE uintptr_t program_clock(user_call *call, void *argument)
{
	struct program *p = argument;
	uintptr_t wrong = 0;
	for (uint32_t i = 0; i < p->calls; i++)
		wrong += call(CALL_CLOCK, (uintptr_t)&p->begin, 0, 0) != 0;
	end(call, p);
	return wrong;
}

USER_CODE static uintptr_t read_all(user_call *call, const struct program *p)
{
	uintptr_t wrong = 0;
	call(CALL_SEEK, p->position, 0, 0);
	for (size_t at = 0; at < p->bytes; at += p->chunk) {
		wrong += call(CALL_READ, p->buffer, p->chunk, 0) != p->chunk;
		wrong += check(p, p->buffer, at);
	}
	return wrong;
}

USER_CODE static uintptr_t write_all(user_call *call, const struct program *p)
{
	uintptr_t wrong = 0;
	call(CALL_SEEK, p->position, 0, 0);
	for (size_t at = 0; at < p->bytes; at += p->chunk) {
		make(p, p->buffer, at);
		wrong += call(CALL_WRITE, p->buffer, p->chunk, 0) != p->chunk;
	}
	return wrong;
}

USER_CODE uintptr_t program_read(user_call *call, void *argument)
{
	struct program *p = argument;
	begin(call, p);
	uintptr_t wrong = read_all(call, p);
	end(call, p);
	return wrong;
}

USER_CODE uintptr_t program_write_read(user_call *call, void *argument)
{
	struct program *p = argument;
	begin(call, p);
	uintptr_t wrong = write_all(call, p);
	wrong += read_all(call, p);
	end(call, p);
	return wrong;
}

USER_CODE uintptr_t program_socket(user_call *call, void *argument)
{
	struct program *p = argument;
	uintptr_t wrong = 0;
	begin(call, p);
	for (size_t at = 0; at < p->bytes; at += p->chunk) {
		make(p, p->buffer, at);
		wrong += call(CALL_SEND, p->buffer, p->chunk, 0) != p->chunk;
		wrong += call(CALL_RECV, p->second, p->chunk, 0) != p->chunk;
		wrong += check(p, p->second, at);
	}
	end(call, p);
	return wrong;
}

#define FLAG_DF ((uintptr_t)1 << 10)
#define FLAG_AC ((uintptr_t)1 << 18)

#ifdef __x86_64__
#define READ_FLAGS()       __builtin_ia32_readeflags_u64()
#define WRITE_FLAGS(flags) __builtin_ia32_writeeflags_u64(flags)
#else
#define READ_FLAGS()       __builtin_ia32_readeflags_u32()
#define WRITE_FLAGS(flags) __builtin_ia32_writeeflags_u32(flags)
#endif

/* One call whose copy faults at once, at an address where nothing is, and one that is
 * answered. Nothing between the two changes of the flags minds them. */
USER_CODE uintptr_t program_flags(user_call *call, void *argument)
{
	struct program *p = argument;
	const uintptr_t hostile = FLAG_DF | FLAG_AC;
	uintptr_t before = READ_FLAGS();
	WRITE_FLAGS(before | hostile);
	uintptr_t left = call(CALL_CLOCK, 0, 0, 0);
	uintptr_t none_left = call(CALL_CLOCK, (uintptr_t)&p->end, 0, 0);
	uintptr_t after = READ_FLAGS();
	WRITE_FLAGS(before);
	return (left != sizeof(p->end)) + (none_left != 0) + ((after & hostile) != hostile);
}

USER_CODE uintptr_t program_peek(user_call *call, void *argument)
{
	const struct program *p = argument;
	(void)call;
	return *(const volatile uint8_t *)p->buffer;
}

USER_CODE uintptr_t program_privileged(user_call *call, void *argument)
{
	(void)call, (void)argument;
	__asm__ volatile("sti");
	return 0;
}

USER_CODE uintptr_t program_spin(user_call *call, void *argument)
{
	(void)call, (void)argument;
	for (;;)
		__asm__ volatile("pause");
}
