/* SPDX-License-Identifier: BSD-2-Clause */
/* The other CPUs: a thread each, that stays on one of those that this process may use,
 * and sleeps until it is given work. */
#include "lib/cpus.h"
#include "hosted/hosted.h"
#include "suite/machine.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

static struct cpu {
	int place; /* as Linux numbers it */
	pthread_t thread;
	bool started, busy; /* under `lock` */
	void (*work)(void *);
	void *context;
} cpus[CPUS_MAX]; /* cpus[0]: main()'s, of which the place alone is used */

static unsigned used = 1;
static cpu_set_t allowed;
static _Thread_local unsigned current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void cpus_start(void)
{
	int here = sched_getcpu();

	cpus[0].place = here;
	if (here < 0 || sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return;
	for (int place = 0; place < CPU_SETSIZE && used < cpus_wanted(); place++)
		if (place != here && CPU_ISSET(place, &allowed))
			cpus[used++].place = place;
}

unsigned cpus_used(void)
{
	return used;
}

unsigned cpus_for_jobs(void)
{
	unsigned all = (unsigned)CPU_COUNT(&allowed);

	return cpus_limited() || !all ? used : all;
}

void cpus_stay_on_none(void)
{
	sched_setaffinity(0, sizeof(allowed), &allowed);
}

unsigned machine_cpu(void)
{
	return current;
}

static bool stay_at(int place)
{
	cpu_set_t set;

	if (place < 0 || place >= CPU_SETSIZE)
		return false;
	CPU_ZERO(&set);
	CPU_SET(place, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0;
}

void cpus_stay_on(unsigned cpu)
{
	stay_at(cpus[cpu].place);
}

int cpus_place(void)
{
	return cpus[0].place;
}

int cpus_after(int place)
{
	for (int i = 1; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((place + i) % CPU_SETSIZE, &allowed))
			return (place + i) % CPU_SETSIZE;
	return place;
}

bool cpus_move(int place)
{
	int before = cpus[0].place;
	bool busy = false, moved;

	pthread_mutex_lock(&lock);
	for (unsigned i = 1; i < used; i++)
		busy |= cpus[i].busy;
	moved = !busy && stay_at(place);
	for (unsigned i = 1; i < used && moved; i++)
		if (cpus[i].place == place)
			cpus[i].place = before;
	if (moved)
		cpus[0].place = place;
	pthread_mutex_unlock(&lock);
	return moved;
}

static void *run(void *argument)
{
	struct cpu *self = argument;

	current = (unsigned)(self - cpus);
	pthread_mutex_lock(&lock);
	for (;;) {
		while (!self->busy)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
		cpus_stay_on(current);
		self->work(self->context);
		pthread_mutex_lock(&lock);
		self->busy = false;
		pthread_cond_broadcast(&changed);
	}
	return NULL;
}

/* With the watchdogs' signals blocked: they are for the thread that calls routines. */
static bool start(struct cpu *cpu)
{
	sigset_t watchdogs, before;

	sigemptyset(&watchdogs);
	sigaddset(&watchdogs, SIGPROF);
	sigaddset(&watchdogs, SIGVTALRM);
	pthread_sigmask(SIG_BLOCK, &watchdogs, &before);
	cpu->started = pthread_create(&cpu->thread, NULL, run, cpu) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return cpu->started;
}

bool machine_cpu_run(unsigned cpu, void (*work)(void *), void *context, const char **why)
{
	bool was_busy;

	*why = "there is no such CPU";
	if (cpu == 0 || cpu >= used)
		return false;
	*why = "no thread for that CPU";
	if (!cpus[cpu].started && !start(&cpus[cpu]))
		return false;
	*why = "that CPU is at work";
	pthread_mutex_lock(&lock);
	was_busy = cpus[cpu].busy;
	if (!was_busy) {
		cpus[cpu].work = work;
		cpus[cpu].context = context;
		cpus[cpu].busy = true;
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return !was_busy;
}

bool machine_cpu_wait(unsigned cpu, unsigned ms)
{
	struct timespec deadline;
	bool busy;

	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += ms / 1000;
	deadline.tv_nsec += ms % 1000 * 1000000L;
	if (deadline.tv_nsec >= 1000000000L) {
		deadline.tv_nsec -= 1000000000L;
		deadline.tv_sec++;
	}
	pthread_mutex_lock(&lock);
	while (cpus[cpu].busy && pthread_cond_timedwait(&changed, &lock, &deadline) == 0)
		;
	busy = cpus[cpu].busy;
	pthread_mutex_unlock(&lock);
	return !busy;
}

void machine_cpu_relax(void)
{
	__builtin_ia32_pause();
}
