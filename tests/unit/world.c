/* SPDX-License-Identifier: BSD-2-Clause */
/* The small world's kernel half, and its programs, run as functions against it. */
#include "copies/params.h"
#include "lib/option.h"
#include "suite/world/access.h"
#include "suite/world/content.h"
#include "suite/world/file.h"
#include "suite/world/program.h"
#include "suite/world/socket.h"

#include "tests/unit/machine.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

/* A copy that gets no further than this address on the user's side. */
static uintptr_t barrier = UINTPTR_MAX;

static size_t copy_up_to(void *to, const void *from, size_t n, uintptr_t user)
{
	size_t reach = user >= barrier ? 0 : barrier - user;
	size_t part = n < reach ? n : reach;
	memcpy(to, from, part);
	return n - part;
}

static size_t to_user(void *to, const void *from, size_t n)
{
	return copy_up_to(to, from, n, (uintptr_t)to);
}

static size_t from_user(void *to, const void *from, size_t n)
{
	return copy_up_to(to, from, n, (uintptr_t)from);
}

static const struct user_copy copy = { to_user, from_user };
static uint8_t buffer[6 * MACHINE_PAGE];

static void start(void)
{
	copy_params.user_limit = machine_user_limit();
	barrier = UINTPTR_MAX;
	memset(buffer, 0, sizeof(buffer));
}

/* ------------------------------------------------------------ access */

static bool is_ok(uintptr_t address, size_t n)
{
	uintptr_t masked = address;
	bool ok = access_ok(&masked, n);
	CHECK(masked == address);
	return ok;
}

static void check_ranges(void)
{
	uintptr_t limit = copy_params.user_limit;
	CHECK(is_ok(0, 0) && is_ok(limit, 0) && is_ok(0, limit) && is_ok(limit - 1, 1));
	CHECK(!is_ok(limit + 1, 0) && !is_ok(limit, 1) && !is_ok(1, limit) && !is_ok(0, limit + 1));
	CHECK(!is_ok(UINTPTR_MAX, 1) && !is_ok(UINTPTR_MAX, 2) && !is_ok(1, UINTPTR_MAX));
}

TEST(access_is_to_the_users_half_alone)
{
	start();
	check_ranges();
	options_parse("harden=mask");
	CHECK_TEXT(access_hardening(), "mask");
	check_ranges();
	options_parse("harden=on");
	CHECK_TEXT(access_hardening(), "lfence");
	check_ranges();
	options_parse("harden=off");
	CHECK_TEXT(access_hardening(), "off");
}

TEST(a_refused_range_is_not_copied)
{
	uint8_t byte = 1;
	start();
	CHECK_NUMBER(copy_out(&copy, copy_params.user_limit - 1, &byte, 2), 2);
	CHECK_NUMBER(copy_in(&copy, &byte, UINTPTR_MAX, 1), 1);
}

/* ------------------------------------------------------------ content */

TEST(content_is_one_stream_of_bytes)
{
	uint8_t stream[64 + 8];
	content_fill(stream, 64 + 8, 4096);
	for (uint32_t at = 0; at < 8; at++) {
		CHECK_NUMBER(content_wrong(stream + at, 64, 4096 + at), 0);
		stream[at + 63] ^= 0x80;
		CHECK_NUMBER(content_wrong(stream + at, 64, 4096 + at), 1);
		stream[at + 63] ^= 0x80;
	}
	CHECK_NUMBER(content_wrong(stream, 64, 4100), 16);
}

/* ------------------------------------------------------------ file */

TEST(a_file_is_read_across_its_pages_to_its_end)
{
	struct file file;
	const char *why;
	start();
	CHECK(file_open(&file, 3, &why));
	file.position = 4093;
	CHECK_NUMBER(file_read(&file, &copy, (uintptr_t)buffer + 1, 4100), 4100);
	CHECK_NUMBER(content_wrong(buffer + 1, 4100, 4093), 0);
	CHECK_NUMBER(file.position, 8193);
	CHECK_NUMBER(buffer[0] | buffer[4101], 0);
	CHECK_NUMBER(file_read(&file, &copy, (uintptr_t)buffer, 3 * MACHINE_PAGE), 4095);
	CHECK_NUMBER(file_read(&file, &copy, (uintptr_t)buffer, 1), 0);
	file_close(&file);
	CHECK_NUMBER(machine_pages_out, 0);
}

TEST(a_read_that_faults_says_how_far_it_got)
{
	struct file file;
	const char *why;
	start();
	CHECK(file_open(&file, 3, &why));
	barrier = (uintptr_t)buffer + 5000;
	CHECK_NUMBER(file_read(&file, &copy, (uintptr_t)buffer, 8192), 5000);
	CHECK_NUMBER(file.position, 5000);
	CHECK_NUMBER(buffer[5000], 0);
	file_close(&file);
}

TEST(what_is_written_is_read_back)
{
	struct file file;
	const char *why;
	start();
	CHECK(file_open(&file, 4, &why));
	content_fill(buffer, 8000, 77);
	file.position = 101;
	CHECK_NUMBER(file_write(&file, &copy, (uintptr_t)buffer, 8000), 8000);
	CHECK(file_wrong(&file, 0, 2 * MACHINE_PAGE) > 1900);
	CHECK_NUMBER(file_wrong(&file, 2 * MACHINE_PAGE, 2 * MACHINE_PAGE), 0);
	file.position = 101;
	memset(buffer, 0, sizeof(buffer));
	CHECK_NUMBER(file_read(&file, &copy, (uintptr_t)buffer, 8000), 8000);
	CHECK_NUMBER(content_wrong(buffer, 8000, 77), 0);
	file.position = 16380;
	CHECK_NUMBER(file_write(&file, &copy, (uintptr_t)buffer, 8), 4);
	file_close(&file);
}

TEST(a_file_that_does_not_fit_gives_its_pages_back)
{
	struct file file;
	const char *why;
	machine_pages_most = 5;
	CHECK(!file_open(&file, 6, &why));
	CHECK_TEXT(why, "not enough memory for the page cache");
	CHECK_NUMBER(machine_pages_out, 0);
	machine_pages_most = SIZE_MAX;
	CHECK(file_open(&file, 0, &why));
	CHECK_NUMBER(file_read(&file, &copy, (uintptr_t)buffer, 1), 0);
	file_close(&file);
}

/* ------------------------------------------------------------ socket */

TEST(messages_come_out_as_they_went_in)
{
	struct socket socket;
	const char *why;
	start();
	CHECK(socket_open(&socket, &why));
	content_fill(buffer, 10000, 0);
	CHECK_NUMBER(socket_send(&socket, &copy, (uintptr_t)buffer, 10000), 10000);
	content_fill(buffer, 52, 10000);
	CHECK_NUMBER(socket_send(&socket, &copy, (uintptr_t)buffer, 52), 52);
	memset(buffer, 0, sizeof(buffer));
	CHECK_NUMBER(socket_recv(&socket, &copy, (uintptr_t)buffer, 4), 4);
	CHECK_NUMBER(socket_recv(&socket, &copy, (uintptr_t)buffer + 4, 20000), 10048);
	CHECK_NUMBER(content_wrong(buffer, 10052, 0), 0);
	CHECK_NUMBER(socket_recv(&socket, &copy, (uintptr_t)buffer, 1), 0);
	socket_close(&socket);
	CHECK_NUMBER(machine_pages_out, 0);
}

TEST(a_full_socket_takes_what_it_can)
{
	struct socket socket;
	const char *why;
	size_t sent = 0, n;
	start();
	CHECK(socket_open(&socket, &why));
	while ((n = socket_send(&socket, &copy, (uintptr_t)buffer, 8192)))
		sent += n;
	CHECK(sent >= 8192 * (SOCKET_BUFFERS / 3));
	CHECK_NUMBER(socket_recv(&socket, &copy, (uintptr_t)buffer, 8192), 8192);
	CHECK(socket_send(&socket, &copy, (uintptr_t)buffer, 8192) > 0);
	socket_close(&socket);
	CHECK_NUMBER(machine_pages_out, 0);
}

TEST(a_message_that_faults_is_sent_as_far_as_it_goes)
{
	struct socket socket;
	const char *why;
	start();
	CHECK(socket_open(&socket, &why));
	barrier = (uintptr_t)buffer;
	CHECK_NUMBER(socket_send(&socket, &copy, (uintptr_t)buffer, 100), 0);
	barrier = (uintptr_t)buffer + 5000;
	CHECK_NUMBER(socket_send(&socket, &copy, (uintptr_t)buffer, 8192), 5000);
	barrier = (uintptr_t)buffer + 4500;
	CHECK_NUMBER(socket_recv(&socket, &copy, (uintptr_t)buffer, 8192), 4500);
	CHECK_NUMBER(socket_recv(&socket, &copy, (uintptr_t)buffer, 8192), 500);
	socket_close(&socket);
	CHECK_NUMBER(machine_pages_out, 0);
}

/* ------------------------------------------------------------ programs */

static struct file served_file;
static struct socket served_socket;
static size_t shorten; /* reads and messages, by so many bytes */

static uintptr_t call(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	(void)c;
	switch (number) {
	case CALL_CLOCK:
		++*(uint64_t *)a;
		return 0;
	case CALL_SEEK:
		return served_file.position = a;
	case CALL_READ:
		return file_read(&served_file, &copy, a, b - shorten);
	case CALL_WRITE:
		return file_write(&served_file, &copy, a, b);
	case CALL_SEND:
		return socket_send(&served_socket, &copy, a, b);
	case CALL_RECV:
		return socket_recv(&served_socket, &copy, a, b - shorten);
	}
	return number == CALL_NULL ? 0 : UINTPTR_MAX;
}

static struct program arguments(void)
{
	const char *why;
	start();
	CHECK(file_open(&served_file, 8, &why));
	CHECK(socket_open(&served_socket, &why));
	shorten = 0;
	return (struct program){ .buffer = (uintptr_t)buffer + 1,
				 .second = (uintptr_t)buffer + 3 * MACHINE_PAGE,
				 .chunk = 8192,
				 .position = 5,
				 .bytes = 3 * 8192,
				 .checked = 1,
				 .calls = 3 };
}

static void stop(void)
{
	file_close(&served_file);
	socket_close(&served_socket);
	CHECK_NUMBER(machine_pages_out, 0);
}

TEST(programs_find_what_they_wrote)
{
	struct program p = arguments();
	CHECK_NUMBER(program_null(call, &p), 0);
	CHECK_NUMBER(program_clock(call, &p), 0);
	CHECK_NUMBER(p.begin, 4);
	CHECK_NUMBER(program_read(call, &p), 0);
	CHECK_NUMBER(program_write_read(call, &p), 0);
	CHECK_NUMBER(program_socket(call, &p), 0);
	stop();
}

TEST(programs_notice_a_byte_that_is_wrong)
{
	struct program p = arguments();
	uint8_t **pages = (uint8_t **)served_file.index.alias;
	pages[2][17] ^= 4;
	CHECK_NUMBER(program_read(call, &p), 1);
	p.checked = 0;
	CHECK_NUMBER(program_read(call, &p), 0);
	stop();
}

TEST(programs_notice_a_call_that_falls_short)
{
	struct program p = arguments();
	p.checked = 0;
	shorten = 1;
	CHECK_NUMBER(program_read(call, &p), 3);
	CHECK_NUMBER(program_socket(call, &p), 3);
	stop();
}
