/* SPDX-License-Identifier: BSD-2-Clause */
/* Jobs in processes of their own: each takes the next job until there is none left, leaves
 * its result in memory that is shared, and says so through a pipe. */
#include "hosted/hosted.h"
#include "suite/machine.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct board {
	const struct machine_jobs *jobs;
	size_t *next;     /* shared */
	uint8_t *results; /* shared */
	bool *there;      /* whose result has been reported */
	int report[2];
};

static _Noreturn void work(const struct board *b)
{
	const struct machine_jobs *jobs = b->jobs;
	size_t job;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	output_forked();
	area_forked();
	trap_forked();
	cpus_stay_on_none();
	if (!jobs->begin())
		_exit(EXIT_FAILURE);
	while ((job = __atomic_fetch_add(b->next, 1, __ATOMIC_RELAXED)) < jobs->count) {
		jobs->run(job, b->results + job * jobs->size);
		if (write(b->report[1], &job, sizeof(job)) != sizeof(job))
			break;
	}
	_exit(EXIT_SUCCESS);
}

static size_t board_bytes(const struct board *b)
{
	return sizeof(*b->next) + b->jobs->count * b->jobs->size;
}

/* The processes, with memory for them; false where there is to be one alone, or none can be. */
static bool start(struct board *b)
{
	unsigned processes = cpus_for_jobs(), started = 0;

	if (processes < 2 || pipe(b->report) != 0)
		return false;
	b->there = calloc(b->jobs->count, sizeof(*b->there));
	b->next = mmap(NULL, board_bytes(b), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		       0);
	b->results = (uint8_t *)(b->next + 1);
	for (; b->there && b->next != MAP_FAILED && started < processes; started++) {
		pid_t child = fork();
		if (child == 0)
			work(b);
		if (child < 0)
			break;
	}
	close(b->report[1]);
	return started > 0; /* if not, nothing is left to try: what was taken stays */
}

/* Waits for its result; false where there will be none, since every process has ended. */
static bool reported(struct board *b, size_t job)
{
	size_t other;

	while (!b->there[job] && read(b->report[0], &other, sizeof(other)) == sizeof(other))
		b->there[other] = true;
	return b->there[job];
}

static void end(struct board *b)
{
	while (wait(NULL) > 0)
		;
	close(b->report[0]);
	munmap(b->next, board_bytes(b));
	free(b->there);
}

void machine_share_out(const struct machine_jobs *jobs)
{
	struct board b = { .jobs = jobs };
	bool started = start(&b);

	for (size_t job = 0; job < jobs->count; job++) {
		void *result = jobs->result;
		if (started && reported(&b, job))
			result = b.results + job * jobs->size;
		else
			jobs->run(job, result);
		jobs->finish(job, result);
	}
	if (started)
		end(&b);
}
