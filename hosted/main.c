/* SPDX-License-Identifier: BSD-2-Clause */
/* The suite as an ordinary Linux process: command line, output, and one CPU to
 * stay on. */
#include "hosted/hosted.h"
#include "lib/option.h"
#include "suite/machine.h"
#include "suite/suite.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

static char *command_line;
static int output_error; /* errno of a write that failed, or 0 */
static bool mute;

const char *machine_command_line(void)
{
	return command_line;
}

void machine_progress(const char *phase, unsigned done, unsigned total)
{
	(void)phase, (void)done, (void)total;
}

static void join_arguments(char **argv)
{
	size_t size = 1;
	for (char **arg = argv; *arg; arg++)
		size += strlen(*arg) + 1;
	command_line = malloc(size);
	if (!command_line)
		hosted_refuse("no memory for %zu bytes of command line", size);
	char *end = command_line;
	*end = '\0';
	for (char **arg = argv; *arg; arg++)
		end += sprintf(end, "%s%s", end == command_line ? "" : " ", *arg);
}

/* A reader that has gone away makes this fail for good; the run goes on, as it does
 * on a machine whose serial port has died, and its exit status tells. */
void machine_write_line(const char *text, size_t length)
{
	char line[512];
	if (length > sizeof(line) - 1)
		length = sizeof(line) - 1;
	memcpy(line, text, length);
	line[length++] = '\n';
	for (size_t done = 0; done < length && !output_error && !mute;) {
		ssize_t n = write(STDOUT_FILENO, line + done, length - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			output_error = errno;
	}
}

void output_forked(void)
{
	mute = true;
}

void hosted_refuse(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fputs("metalcopy: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	exit(2);
}

#define PERSONALITY_AS_IT_IS 0xffffffffu

bool hosted_addresses_fixed(void)
{
	int now = personality(PERSONALITY_AS_IT_IS);

	return now >= 0 && now & ADDR_NO_RANDOMIZE;
}

static void check_address_space(void)
{
	int on_stack;
	/* areas lie where libraries do */
	if ((uintptr_t)&on_stack < HOSTED_USER_LIMIT || (uintptr_t)stdout < HOSTED_USER_LIMIT ||
	    (uintptr_t)check_address_space < HOSTED_USER_LIMIT)
		hosted_refuse("this program was loaded below %#lx, where the user areas are: build "
			      "it position-independent (-pie) and run it without a personality "
			      "that moves it",
			      (unsigned long)HOSTED_USER_LIMIT);
}

/* Where code and buffers lie decides what predictors and caches take for the same: by chance
 * from start to start, no run could be compared with the last. The system may refuse, or say
 * yes and randomise all the same, so it is asked once. */
static void stay_in_place(char **argv)
{
	int now = personality(PERSONALITY_AS_IT_IS);

	if (now < 0 || hosted_addresses_fixed() || getenv("METALCOPY_ASKED") ||
	    setenv("METALCOPY_ASKED", "1", 0) != 0 ||
	    personality((unsigned long)now | ADDR_NO_RANDOMIZE) < 0)
		return;
	execv("/proc/self/exe", argv);
	personality((unsigned long)now);
}

int main(int argc, char **argv)
{
	const struct option_problem *problems;

	(void)argc;
	check_address_space();
	stay_in_place(argv);
	/* for lists of processes: the name that /proc/self/exe gave is "exe" */
	prctl(PR_SET_NAME, program_invocation_short_name);
	signal(SIGPIPE, SIG_IGN);
	join_arguments(argv + 1);
	options_parse(command_line);
	/* The scheduler has just put this process on a CPU that it thinks idle; moving later
	 * would change caches, TLBs and perhaps the kind of core. */
	cpus_start();
	cpus_stay_on(0);
	symbol_start();
	trap_start(__builtin_frame_address(0));
	clock_start();
	call_start();
	bool pass = suite_run();
	if (options_problems(&problems))
		fputs("metalcopy: not all arguments made sense: see \"option error\" in the "
		      "record\n",
		      stderr);
	if (output_error)
		fprintf(stderr, "metalcopy: the record was not written to its end: %s\n",
			strerror(output_error));
	return pass && !output_error ? EXIT_SUCCESS : EXIT_FAILURE;
}
