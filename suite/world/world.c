/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/world/world.h"

#include "lib/format.h"
#include "lib/string.h"
#include "suite/record.h"
#include "suite/registry.h"
#include "suite/report.h"
#include "suite/world/content.h"
#include "suite/world/file.h"
#include "suite/world/socket.h"

#define BUFFER_BYTES (WORLD_CHUNK + MACHINE_PAGE) /* for an offset of less than a page */
#define NULL_CALLS   100u
#define NULL_MS      5u

static struct {
	const char *experiment;
	struct area memory; /* the program's: its arguments, then two buffers */
	struct file file;
	struct socket socket;
	copy_function *put; /* for results other than data: the clock */

	const struct world_job *job;
	size_t next; /* where in its part of the file the next run starts */
	const char *failed;
	struct world_count count;
} world;

/* ------------------------------------------------------------ the kernel's half */

static uintptr_t call_clock(uintptr_t address)
{
	const struct user_copy copy = { .to_user = world.put };
	uint64_t now = machine_ticks();
	return copy_out(&copy, address, &now, sizeof(now));
}

static uintptr_t service(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c)
{
	const struct user_copy *copy = &world.job->copy;
	(void)c;
	switch (number) {
	case CALL_NULL:
		return 0;
	case CALL_CLOCK:
		return call_clock(a);
	case CALL_SEEK:
		return world.file.position = a;
	case CALL_READ:
		return file_read(&world.file, copy, a, b);
	case CALL_WRITE:
		return file_write(&world.file, copy, a, b);
	case CALL_SEND:
		return socket_send(&world.socket, copy, a, b);
	case CALL_RECV:
		return socket_recv(&world.socket, copy, a, b);
	}
	return UINTPTR_MAX;
}

/* ------------------------------------------------------------ running */

/* The program's arguments, as the kernel reaches them. */
static struct program *arguments(void)
{
	return (struct program *)world.memory.alias;
}

static size_t run_bytes(const struct world_job *job)
{
	return (size_t)job->calls * WORLD_CHUNK;
}

static void set_arguments(const struct world_job *job, bool checked)
{
	uintptr_t buffers = (uintptr_t)world.memory.base + MACHINE_PAGE + job->buffer_offset;
	*arguments() = (struct program){ .buffer = buffers,
					 .second = buffers + BUFFER_BYTES,
					 .chunk = WORLD_CHUNK,
					 .bytes = run_bytes(job),
					 .checked = checked,
					 .calls = job->calls };
	world.job = job;
	world.next = 0;
}

/* The next part of the file that the job goes through. */
static void advance(void)
{
	const struct world_job *job = world.job;
	size_t bytes = run_bytes(job);
	if (world.next + bytes + job->file_offset > job->size)
		world.next = 0;
	arguments()->position = job->start + world.next + job->file_offset;
	world.next += bytes;
}

static bool run_program(void)
{
	const struct user_run run = { .entry = world.job->entry,
				      .program = world.job->program,
				      .argument = world.memory.base,
				      .service = service };
	struct outcome outcome;
	advance();
	if (!machine_user_run(&run, &outcome, &world.failed)) {
		world.count.failures++;
		return false;
	}
	world.failed = !outcome.returned ? "the program was given up"
		       : outcome.residue ? "data that is not what was written, or a call that "
					   "fell short"
					 : NULL;
	world.count.failures += world.failed != NULL;
	if (!outcome.returned)
		report_fault(&outcome.fault);
	return !world.failed;
}

/* As a routine to be timed. After a failure the rest of the batch does nothing. */
static size_t timed_run(void *to, const void *from, size_t n)
{
	(void)to, (void)from;
	if (world.failed)
		return n;
	uint64_t start = machine_ticks();
	run_program();
	world.count.ticks += machine_ticks() - start;
	world.count.own_ticks += arguments()->end - arguments()->begin;
	return n;
}

bool world_check(const struct world_job *job, const char **why)
{
	set_arguments(job, true);
	world.count.checked += run_bytes(job);
	bool done = run_program();
	*why = world.failed;
	return done;
}

bool world_measure(const struct world_job *job, uint32_t ms, struct measured *m, const char **why)
{
	set_arguments(job, false);
	world.failed = NULL;
	bool done = measure_operation((uintptr_t)timed_run, ms, m, why);
	if (world.failed)
		*why = world.failed;
	if (!done || world.failed)
		return false;
	measure_divide(m, job->calls);
	return true;
}

bool world_provoke(user_program *program, const void *address, struct fault *fault,
		   const char **why)
{
	const struct world_job job = { .entry = machine_user_entry(0) };
	const struct user_run run = { .entry = job.entry,
				      .program = program,
				      .argument = world.memory.base,
				      .service = service };
	struct outcome outcome;
	set_arguments(&job, false);
	arguments()->buffer = (uintptr_t)address;
	if (!machine_user_run(&run, &outcome, why))
		return false;
	*fault = outcome.fault;
	*why = "nothing stopped it";
	return !outcome.returned;
}

size_t world_file_wrong(size_t start, size_t n)
{
	return file_wrong(&world.file, start, n);
}

const struct world_count *world_count(void)
{
	return &world.count;
}

/* ------------------------------------------------------------ coming and going */

static bool find_put(const char **why)
{
	const struct form *forms;
	size_t count = registry_forms(&forms);
	for (size_t i = 0; i < count; i++)
		if (forms[i].kind == FORM_TO_USER &&
		    strcmp(forms[i].routine->name, "rep_movsb") == 0)
			world.put = (copy_function *)forms[i].entry;
	*why = "no rep_movsb to write the clock with";
	return world.put != NULL;
}

bool world_renew(const char **why)
{
	if (!machine_area_renew(&world.memory, why))
		return false;
	memset(world.memory.alias, 0, world.memory.size);
	return true;
}

bool world_open(const char *experiment, size_t file_bytes, const char **why)
{
	memset(&world, 0, sizeof(world));
	world.experiment = experiment;
	access_start(experiment);
	bool done = find_put(why) &&
		    machine_area_map(AREA_USER, ACCESS_READ_WRITE, MACHINE_PAGE + 2 * BUFFER_BYTES,
				     &world.memory, why) &&
		    world_renew(why) && socket_open(&world.socket, why) &&
		    file_open(&world.file, file_bytes / MACHINE_PAGE, why);
	if (!done)
		world_close();
	return done;
}

void world_close(void)
{
	if (world.memory.size)
		machine_area_unmap(&world.memory);
	socket_close(&world.socket);
	file_close(&world.file);
}

/* ------------------------------------------------------------ what it is */

void world_describe(void)
{
	struct world_job job = { .entry = machine_user_entry(0),
				 .program = program_null,
				 .calls = NULL_CALLS };
	struct measured m;
	const char *why;
	bool real = machine_can() & CAN_USER_MODE;
	record_text("%s: the program %s; real are %sthe page cache, the buffers and each copy",
		    world.experiment,
		    real ? "runs in ring 3" : "is a function of this process, and so are its calls",
		    real ? "entry and return, the range checks, user pages, " : "");
	if (!machine_user_isolated(&why) && why)
		record_text("%s: pti=on skipped: %s", world.experiment, why);
	if (world_measure(&job, NULL_MS, &m, &why))
		record_text("%s: of each figure, a call by %s that does nothing takes %s ticks "
			    "(%s ns); page tables switched: %s; hardened: %s",
			    world.experiment, job.entry, fixed(m.ticks, 1).text,
			    m.ns ? fixed(m.ns, 1).text : "n/a",
			    machine_user_isolated(&why) ? "yes (pti=on)" : "no",
			    access_hardening());
	else
		record_text("%s: no figure for a call that does nothing: %s", world.experiment,
			    why);
}
