/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One CPU takes pages away while the others walk to them and write: does a write ever land
 * in a page that was given up? CPU 0 unmaps, remaps, splits a large page and puts it
 * together again, all in one range; the others pin pages there in both forms and write
 * through the alias, or write by the user's address as a copy does. A frame that nothing
 * refers to any more counts as free memory: it gets the next generation and a pattern that
 * nobody else may write, which is looked at again before the frame is used anew.
 */
#include "lib/option.h"
#include "lib/random.h"
#include "suite/experiment.h"
#include "suite/machine.h"
#include "suite/options.h"
#include "suite/record.h"
#include "suite/registry.h"

#define NAME        "gup-torture"
#define HOT         16u /* pages that both sides use, all over one large page */
#define SPARES      32u /* frames to be mapped there, beside the large page's own */
#define FRAMES      (HOT + SPARES)
#define NONE        FRAMES
#define CPUS        32u
#define COPY_OFFSET 64u
#define COPY_BYTES  512u
#define WORDS       (MACHINE_PAGE / sizeof(uintptr_t))
#define ROUND_US    2500u /* at most, on average */
#define PATIENCE_S  20u

static unsigned long long rounds_given;

static bool set_torture(const char *value)
{
	return option_number(value, &rounds_given) && rounds_given > 0;
}
OPTION(torture, "N", "rounds of gup-torture; 100,000, or 2,000 in suite=quick", set_torture);

static const struct machine_pins *pins;
static copy_function *copy_plain, *copy_to_user;
static struct random dice;

/* ------------------------------------------------------------ frames */

enum frame_state { FREE, MAPPED, PENDING }; /* PENDING: unmapped, but pinned perhaps */

static struct frame {
	size_t number; /* the machine's */
	enum frame_state state;
	bool read_only;      /* as it is mapped: its pattern must last */
	uint32_t generation; /* how often it was given up */
} frames[FRAMES];            /* the first HOT are the large page's */

static unsigned slots[HOT]; /* the frame at each hot page, or NONE */
static unsigned stale;      /* writes that CPU 0 found in free frames */
static unsigned next_spare;

static uintptr_t *words_of(const struct frame *f)
{
	return (uintptr_t *)(pins->alias + f->number * MACHINE_PAGE);
}

/* Even, where the first word of a mapped frame is odd: its generation. */
static uintptr_t pattern(const struct frame *f, unsigned word)
{
	return ((uintptr_t)f->generation * 0x9e3779b1u + word) << 1;
}

static uintptr_t live(const struct frame *f)
{
	return (uintptr_t)f->generation << 1 | 1;
}

/* From `first` on nobody may have written. */
static void check(const struct frame *f, unsigned first)
{
	const uintptr_t *words = words_of(f);

	for (unsigned i = first; i < WORDS; i++) {
		if (words[i] == pattern(f, i))
			continue;
		if (!stale++)
			record_text("%s: stale write: frame %u, given up %u times: word %u is "
				    "0x%lx, should be 0x%lx",
				    NAME, (unsigned)f->number, (unsigned)f->generation, i,
				    (unsigned long)words[i], (unsigned long)pattern(f, i));
		return;
	}
}

/* Unmapped frames that nobody has pinned any more. */
static void reclaim(void)
{
	for (unsigned i = 0; i < FRAMES; i++) {
		struct frame *f = &frames[i];

		if (f->state != PENDING || pins->references(f->number))
			continue;
		f->generation++;
		for (unsigned word = 0; word < WORDS; word++)
			((volatile uintptr_t *)words_of(f))[word] = pattern(f, word);
		f->state = FREE;
	}
}

static void take_into_use(struct frame *f, bool read_only)
{
	check(f, 0);
	*(volatile uintptr_t *)words_of(f) = live(f);
	f->read_only = read_only;
	f->state = MAPPED;
}

static void give_up(unsigned slot)
{
	struct frame *f = &frames[slots[slot]];

	if (f->read_only)
		check(f, 1);
	f->state = PENDING;
	slots[slot] = NONE;
}

/* ------------------------------------------------------------ the range */

static enum { SMALL, WHOLE, LARGE } range; /* WHOLE: small pages, but the large one's frames */

static size_t page_of(unsigned slot)
{
	return slot * (pins->large / HOT);
}

static void unmap_all(void)
{
	pins->unmap(0, pins->large);
	for (unsigned slot = 0; slot < HOT; slot++)
		if (slots[slot] != NONE)
			give_up(slot);
	range = SMALL;
}

static bool own_frames_free(void)
{
	reclaim();
	for (unsigned i = 0; i < HOT; i++)
		if (frames[i].state != FREE)
			return false;
	return true;
}

static uint64_t ticks_in(uint64_t us)
{
	uint64_t hz = machine_clock()->tsc_hz;

	return (hz ? hz : 1000000000) / 1000000 * us;
}

static bool map_large(void)
{
	uint64_t deadline = machine_ticks() + ticks_in(PATIENCE_S * 1000000);

	while (!own_frames_free()) {
		machine_cpu_relax();
		if (machine_ticks() > deadline) {
			record_text("%s: a reference was never given back", NAME);
			return false;
		}
	}
	for (unsigned slot = 0; slot < HOT; slot++) {
		take_into_use(&frames[slot], false);
		slots[slot] = slot;
	}
	range = LARGE;
	return pins->map(0, 0, pins->large, ACCESS_READ_WRITE);
}

/* The one that has been free longest, more or less: a late write has time to land. */
static unsigned find_free(void)
{
	for (unsigned i = 0; i < SPARES; i++) {
		unsigned frame = HOT + next_spare++ % SPARES;

		if (frames[frame].state == FREE)
			return frame;
	}
	return NONE;
}

static bool replace(unsigned slot)
{
	unsigned frame = find_free();
	bool read_only = random_below(&dice, 8) == 0;

	if (slots[slot] != NONE) {
		pins->unmap(page_of(slot), 1);
		give_up(slot);
		range = SMALL;
	}
	if (frame == NONE || random_below(&dice, 8) == 0)
		return true;
	take_into_use(&frames[frame], read_only);
	slots[slot] = frame;
	return pins->map(page_of(slot), frames[frame].number, 1,
			 read_only ? ACCESS_READ_ONLY : ACCESS_READ_WRITE);
}

enum change { REPLACED, SPLIT, JOINED, REMAPPED, CHANGES };

/* One change of the range; false: the machine cannot go on. */
static bool change(uint64_t count[CHANGES])
{
	enum change kind = REPLACED;
	bool done;

	if (range == LARGE)
		kind = random_below(&dice, 8) ? SPLIT : REMAPPED;
	else if (random_below(&dice, range == WHOLE ? 2 : 64) == 0)
		kind = range == WHOLE ? JOINED : REMAPPED;
	switch (kind) {
	case SPLIT:
		done = pins->resize(0, false);
		range = WHOLE;
		break;
	case JOINED:
		done = pins->resize(0, true);
		range = LARGE;
		break;
	case REMAPPED:
		unmap_all();
		done = map_large();
		break;
	default:
		done = replace(random_below(&dice, HOT));
	}
	reclaim();
	count[kind]++;
	return done;
}

/* ------------------------------------------------------------ the other CPUs */

static uint32_t stop;

static struct walker {
	struct random dice;
	uint64_t pinned, refused, copied, cut_short;
	unsigned stale; /* pins whose frame was given up meanwhile */
	uintptr_t data[COPY_BYTES / sizeof(uintptr_t)];
} __attribute__((aligned(128))) walkers[CPUS];

static void pin_and_write(struct walker *w, enum pin_form form, const uint8_t *user)
{
	const volatile uintptr_t *page;
	uintptr_t generation;
	size_t frame;

	if (!pins->pin(form, user, &frame)) {
		w->refused++;
		return;
	}
	page = (const volatile uintptr_t *)(pins->alias + frame * MACHINE_PAGE);
	generation = *page;
	w->data[0] = generation;
	copy_plain((uint8_t *)(uintptr_t)page + COPY_OFFSET, w->data, COPY_BYTES);
	if (generation % 2 == 0 || *page != generation)
		w->stale++;
	pins->unpin(frame);
	w->pinned++;
}

static void write_as_user(struct walker *w, uint8_t *user)
{
	if (copy_to_user(user + COPY_OFFSET, w->data, COPY_BYTES))
		w->cut_short++;
	else
		w->copied++;
}

static void walk(void *context)
{
	struct walker *w = context;

	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		uint8_t *user = pins->user + page_of(random_below(&w->dice, HOT)) * MACHINE_PAGE;

		switch (random_below(&w->dice, 4)) {
		case 0:
			pin_and_write(w, PIN_LOCKED, user);
			break;
		case 1:
			write_as_user(w, user);
			break;
		default:
			pin_and_write(w, PIN_LOCKLESS, user);
		}
	}
}

/* ------------------------------------------------------------ the run */

static unsigned cpus(void)
{
	unsigned used = machine_identity()->cpus_used;

	return used < CPUS ? used : CPUS;
}

static bool start_walkers(void)
{
	const char *why;

	stop = 0;
	for (unsigned i = 1; i < cpus(); i++) {
		struct walker *w = &walkers[i];

		*w = (struct walker){ .dice = random_seeded(suite_options()->seed + i) };
		for (unsigned word = 0; word < sizeof(w->data) / sizeof(w->data[0]); word++)
			w->data[word] = UINTPTR_MAX;
		if (!machine_cpu_run(i, walk, w, &why)) {
			record_text("%s: CPU %u: %s", NAME, i, why);
			return false;
		}
	}
	return true;
}

/* Whether they came to an end, wrote nothing stale, and wrote at all. */
static bool stop_walkers(void)
{
	bool good = true;

	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	for (unsigned i = 1; i < cpus(); i++) {
		const struct walker *w = &walkers[i];

		if (!machine_cpu_wait(i, PATIENCE_S * 1000)) {
			record_text("%s: CPU %u does not come to an end", NAME, i);
			return false;
		}
		record_text("%s: CPU %u: %llu pinned and written, %llu refused; %llu copied to the "
			    "user, %llu stopped by a fault; %u pages lost while pinned",
			    NAME, i, (unsigned long long)w->pinned, (unsigned long long)w->refused,
			    (unsigned long long)w->copied, (unsigned long long)w->cut_short,
			    w->stale);
		if (!w->pinned || !w->copied)
			record_text("%s: CPU %u wrote nothing: this proves nothing", NAME, i);
		good = good && !w->stale && w->pinned && w->copied;
	}
	return good;
}

static bool prepare(void)
{
	pins->reset();
	dice = random_seeded(suite_options()->seed);
	stale = next_spare = 0;
	for (unsigned i = 0; i < FRAMES; i++)
		frames[i] = (struct frame){ .number = i < HOT ? page_of(i) : pins->large + i,
					    .state = PENDING };
	for (unsigned slot = 0; slot < HOT; slot++)
		slots[slot] = NONE;
	return pins->area(0, pins->large) && map_large();
}

static bool any_lost(void)
{
	bool lost = false;

	for (unsigned i = 1; i < cpus(); i++)
		lost |= __atomic_load_n(&walkers[i].stale, __ATOMIC_RELAXED) != 0;
	return lost;
}

/* How many rounds went well, until one finds a stale write or the time is up. */
static uint64_t make_rounds(uint64_t rounds, uint64_t count[CHANGES])
{
	uint64_t end = machine_ticks() + ticks_in(rounds * ROUND_US + 1000000);
	uint64_t round = 0;

	while (round < rounds && machine_ticks() < end && !stale && !any_lost()) {
		if (!change(count))
			break;
		round++;
	}
	return round;
}

static bool torture(uint64_t rounds)
{
	uint64_t count[CHANGES] = { 0 }, start = machine_ticks(), done, ticks;
	bool good = start_walkers();

	done = good ? make_rounds(rounds, count) : 0;
	ticks = machine_ticks() - start;
	good = stop_walkers() && good;
	unmap_all();
	reclaim();
	for (unsigned i = 0; i < FRAMES; i++)
		if (frames[i].state == FREE)
			check(&frames[i], 0);
		else
			good = false;
	record_text("%s: %llu rounds of %llu, %llu ticks each: %llu pages replaced, large page "
		    "split %llu times, joined %llu, remapped %llu; %u stale writes",
		    NAME, (unsigned long long)done, (unsigned long long)rounds,
		    (unsigned long long)(ticks / (done ? done : 1)),
		    (unsigned long long)count[REPLACED], (unsigned long long)count[SPLIT],
		    (unsigned long long)count[JOINED], (unsigned long long)count[REMAPPED], stale);
	if (done < rounds && good && !stale)
		record_text("%s: the time was up; fewer rounds by torture=N", NAME);
	return good && !stale && done;
}

static enum experiment_result run(void)
{
	const struct form *plain = registry_form("rep_movsl", FORM_PLAIN);
	const struct form *to_user = registry_form("rep_movsl", FORM_TO_USER);
	uint64_t rounds = rounds_given                            ? rounds_given
			  : suite_options()->level == SUITE_QUICK ? 2000
								  : 100000;
	const char *why;
	bool good;

	pins = machine_pins(&why);
	if (!pins || !plain || !to_user)
		return experiment_skip(NAME, pins ? "there is no rep_movsl" : why);
	copy_plain = (copy_function *)plain->entry;
	copy_to_user = (copy_function *)to_user->entry;
	machine_time(0, NULL, NULL, 0, 0); /* the watchdog's ticks end */
	good = prepare() && torture(rounds);
	pins->reset();
	return good ? EXPERIMENT_DONE : EXPERIMENT_DIED;
}

EXPERIMENT(gup_torture, NAME, "pages taken away while other CPUs pin them and write",
	   CAN_RING0 | CAN_CPUS, run);
