/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/measure.h"

#include "lib/frequency.h"
#include "lib/probe.h"
#include "lib/string.h"
#include "suite/core.h"
#include "suite/machine.h"
#include "suite/stats.h"

#define BATCH_MAX      (1u << 20)
#define SHOTS_MAX      256u
#define SLOW_SAMPLE_MS 3u
#define CLOCKLESS_HZ   1000000000u /* only to bound time where the frequency is not known */
#define WARM_BYTES     4096u
#define LAST_RESORTS   5u
#define GAP_US         5u
#define CROWDED        8u /* parts that others disturbed: of fewer, most says nothing */

/* Of a hot cell: pairs of batches in a block; what a pair rests on at least; how many of them a
 * sample starts with at most, and which are short. */
#define BLOCK_PAIRS 40u
#define PAIR_STEPS  200u
#define PAIR_TICKS  2000
#define PAIRS_MAX   8u
#define SHORT_US    100u

const char measure_later[] = "disturbed for now";
static enum measure_turn turn;

static uint64_t samples[MEASURE_SAMPLES_MAX];
static uint64_t empty_bracket = UINT64_MAX; /* the smallest ever seen */
static struct measure_count counts;

/* How a cell is sampled. */
struct sampler {
	uintptr_t entry;
	void *to;
	const void *from;
	size_t n;
	measure_shot *shot; /* NULL: hot */
	void *context;
	const struct state *state;  /* that its shots start from; NULL: none that is proved */
	uint32_t parts;             /* of a sample: shots, or pairs of batches */
	uint32_t batch;             /* copies in the smaller of a pair */
	bool larger_first;          /* of a pair, every other time */
	int64_t usual, odd;         /* ticks of a part: of most, and of the last with a gap */
	uint32_t cell_ms, block_ms; /* its time, and how often the core is looked at */
	uint64_t spread;            /* what to reach, in thousandths of a percent */
};

static uint64_t ticks_in(uint32_t ms)
{
	uint64_t hz = machine_clock()->tsc_hz;
	return (hz ? hz : CLOCKLESS_HZ) / 1000 * ms;
}

/* ------------------------------------------------------------ one part of a sample */

/* Parts of this block, so far. */
static uint32_t block_taken, block_lost;

/* Whether what was timed last had the core for itself when it began and when it ended. */
static bool alone;

/*
 * A loop that calls a short routine settles to one of several speeds, a cycle or more apart, by
 * what branch predictors have learnt and how the cache of micro-operations was filled on the way
 * to it, and keeps it for as long as it runs or for longer. So a sample is of several pairs of
 * batches, each of which settles anew.
 */
static void settle_anew(const struct sampler *s, uint32_t batch)
{
	static size_t seed = 1;
	if (!core_known())
		return;
	probe_code(NULL, NULL, 0);
	seed = probe_branches(NULL, NULL, seed);
	machine_time(s->entry, s->to, s->from, s->n, batch);
}

/*
 * Ticks that `batch` copies take, free of the bracket: less than 0 where disturbed. Pairs take
 * turns at which batch comes first: a loop that settles late, in the middle of a pair, would be
 * too fast in all of them else.
 */
static int64_t difference(const struct sampler *s, uint32_t batch)
{
	uint32_t first = s->larger_first ? 2 : 1;
	alone = core_alone();
	settle_anew(s, batch);
	uint64_t a = machine_time(s->entry, s->to, s->from, s->n, first * (size_t)batch);
	uint64_t b = machine_time(s->entry, s->to, s->from, s->n, (3 - first) * (size_t)batch);
	alone &= core_alone();
	return s->larger_first ? (int64_t)(a - b) : (int64_t)(b - a);
}

void measure_turn(enum measure_turn now)
{
	turn = now;
}

uint64_t measure_once(uintptr_t entry, void *to, const void *from, size_t n)
{
	alone &= core_alone();
	uint64_t empty = machine_time(0, NULL, NULL, 0, 0);
	if (empty < empty_bracket)
		empty_bracket = empty;
	uint64_t ticks = machine_time(entry, to, from, n, 1);
	alone &= core_alone();
	return ticks > empty_bracket ? ticks - empty_bracket : 0;
}

/* A copy from a state. */
struct copy {
	uintptr_t entry;
	const struct state *state;
};

/* The routine's code, and what it reads beside the buffers: the walk that made the
 * state has put them out of the nearest caches. */
static void warm_code(const struct copy *c)
{
	static uint8_t spare[2][WARM_BYTES] __attribute__((aligned(4096)));
	const struct side *to = &c->state->to, *from = &c->state->from;
	size_t n = from->n < WARM_BYTES / 2 ? from->n : WARM_BYTES / 2;
	machine_user_access(true);
	machine_time(c->entry, spare[0] + (uintptr_t)to->base % 64,
		     spare[1] + (uintptr_t)from->base % 64, n, 1);
	machine_user_access(false);
}

static uint64_t copy_shot(void *context)
{
	const struct copy *c = context;
	state_set(c->state);
	warm_code(c);
	return measure_once(c->entry, c->state->to.base, c->state->from.base, c->state->from.n);
}

static int64_t one_part(const struct sampler *s, uint32_t batch)
{
	if (!s->shot)
		return difference(s, batch);
	alone = true;
	return (int64_t)s->shot(s->context);
}

/* ------------------------------------------------------------ how large a sample is */

static uint64_t copies(const struct sampler *s)
{
	return (uint64_t)s->batch * s->parts;
}

/* Ticks that a sample has at least. Sized for twice as much: were it cut off near where it lies
 * often, what is left would be too slow. */
static int64_t smallest(const struct sampler *s)
{
	return (int64_t)(s->shot ? MEASURE_STEPS_SHOT : MEASURE_STEPS) * machine_clock()->tsc_step;
}

/* Whether so many parts, of batches of this size, always make so much. */
static bool is_enough(const struct sampler *s, uint32_t parts, uint32_t batch, int64_t enough)
{
	for (unsigned tries = 0; tries < 3; tries++) {
		int64_t sum = 0;
		for (uint32_t i = 0; i < parts; i++)
			sum += one_part(s, batch);
		if (sum < enough)
			return false;
	}
	return true;
}

static bool find_shots(struct sampler *s)
{
	s->batch = 1;
	for (s->parts = 1; s->parts <= SHOTS_MAX; s->parts *= 2)
		if (is_enough(s, s->parts, 1, core_known() ? 2 * smallest(s) : smallest(s)))
			return true;
	return false;
}

/* Where nothing is looked at, a sample is one pair. */
static bool find_batch(struct sampler *s)
{
	int64_t enough = (int64_t)PAIR_STEPS * machine_clock()->tsc_step;
	if (enough < PAIR_TICKS)
		enough = PAIR_TICKS;
	if (!core_known())
		enough = smallest(s);
	for (s->batch = 1; s->batch <= BATCH_MAX; s->batch *= 2)
		if (is_enough(s, 1, s->batch, enough))
			return true;
	return false;
}

/* Two, so that either batch comes first once, and more where one is not enough for a sample;
 * what lasts long settles in less than a pair. */
static void find_pairs(struct sampler *s)
{
	s->parts = 1;
	if (!core_known())
		return;
	uint64_t start = machine_ticks();
	int64_t least = difference(s, s->batch);
	if (machine_ticks() - start < ticks_in(1) * SHORT_US / 1000)
		s->parts = 2;
	while (s->parts < PAIRS_MAX && s->parts * least < 2 * smallest(s))
		s->parts *= 2;
}

/* False where none can be had. */
static bool find_size(struct sampler *s)
{
	if (s->shot)
		return find_shots(s);
	if (!find_batch(s))
		return false;
	find_pairs(s);
	return true;
}

/* ------------------------------------------------------------ many samples */

/* By half, and by more than any cache makes in so short a time. */
static bool is_far(int64_t ticks, int64_t usual)
{
	int64_t apart = ticks > usual ? ticks - usual : usual - ticks;
	return apart > (int64_t)(ticks_in(1) * GAP_US / 1000) && apart > usual / 2;
}

/*
 * What cannot be masked or counted (SMIs of many CPUs, a hypervisor's own work) shows as a
 * gap: a part too long, or too short where it fell into the smaller batch. Two alike in a row
 * are no gap, but what is usual from now on.
 */
static bool has_gap(struct sampler *s, int64_t ticks)
{
	bool gap = is_far(ticks, s->usual) && is_far(ticks, s->odd);
	s->odd = ticks;
	if (!gap)
		s->usual = ticks;
	return gap;
}

/* A part that was not disturbed, or that is kept all the same. */
static bool take_part(struct sampler *s, bool keep, int64_t *ticks)
{
	uint64_t disturbances = machine_disturbances();
	*ticks = one_part(s, s->batch);
	counts.taken++;
	if (machine_disturbances() != disturbances) {
		counts.preempted++;
		return false;
	}
	if (core_known() && has_gap(s, *ticks)) {
		counts.interrupted++;
		return false;
	}
	block_taken++;
	block_lost += !alone;
	if (!alone)
		++*(keep ? &counts.kept : &counts.shared);
	if (!alone && !keep)
		return false;
	s->larger_first = !s->larger_first && core_known();
	return true;
}

/* Where others use the core for most of the time, most of what seems undisturbed is not either:
 * they came and went in the middle of it. */
static bool is_crowded(void)
{
	return block_lost >= CROWDED && 2 * block_lost > block_taken;
}

/* Ticks of a whole sample; 0 where the block ended before it was whole. */
static int64_t take(struct sampler *s, bool keep, uint64_t end)
{
	int64_t sum = 0, ticks;
	for (uint32_t part = 0; part < s->parts;) {
		if (take_part(s, keep, &ticks)) {
			sum += ticks;
			part++;
		} else if (machine_ticks() >= end || (!keep && is_crowded())) {
			return 0;
		}
	}
	return sum;
}

/*
 * Samples until there are `wanted` or the time is up; how many there are then. Where the
 * first are all too short, the core was slower when the batch was found: it is doubled.
 */
static uint32_t take_some(struct sampler *s, uint32_t have, uint32_t wanted, bool keep,
			  uint64_t end)
{
	uint32_t before = have, too_short = 0;
	while (have < wanted) {
		int64_t ticks = take(s, keep, end);
		if (ticks >= smallest(s)) {
			samples[have++] = (uint64_t)ticks * 1000 / copies(s);
		} else if (machine_ticks() < end && !is_crowded()) {
			counts.interrupted += s->parts;
			if (have == before && ++too_short % MEASURE_SAMPLES_FEW == 0 && !s->shot &&
			    s->batch < BATCH_MAX)
				s->batch *= 2;
		}
		if (machine_ticks() >= end || (!keep && is_crowded()))
			break;
	}
	return have;
}

/*
 * A block of samples between two looks at the core, which throw it away when its clock changed,
 * when others used it for most of the time, or when the state from which its shots start was
 * lost; not where `keep` says that there is no time left for better ones. Sums up the chain for
 * each sample, for the cycles.
 */
static uint32_t take_block(struct sampler *s, uint32_t have, uint32_t wanted, bool keep,
			   struct core_state *sum)
{
	struct core_state before, after;
	uint64_t end = machine_ticks() + ticks_in(s->block_ms), *lost = NULL;
	if (!core_known())
		return take_some(s, have, wanted, keep, end);
	uint32_t most = BLOCK_PAIRS / s->parts ? BLOCK_PAIRS / s->parts : 1;
	if (!s->shot && wanted > have + most)
		wanted = have + most;
	block_taken = block_lost = 0;
	core_look(&before);
	uint32_t count = take_some(s, have, wanted, keep, end) - have;
	core_look(&after);
	if (!core_steady(&before, &after))
		lost = &counts.clock;
	else if ((is_crowded() && !keep) || (s->state && !state_holds(s->state)))
		lost = &counts.shared;
	if (lost)
		*(keep ? &counts.kept : lost) += count * s->parts;
	if (lost && !keep)
		return have;
	sum->chain += core_chain(&before, &after) * count;
	return have + count;
}

/*
 * Of few different values, the interval can be narrow where the median is one of them by chance.
 * That by the quartiles (McGill's notch, 1.57 times their distance / sqrt(n) either way) is not.
 */
static bool is_sure(const struct sampler *s, const struct measured *m)
{
	uint64_t quartiles = stats_spread(m->quartile[0], m->quartile[1], m->ticks);
	if (m->spread > s->spread)
		return false;
	return s->shot || 10 * quartiles * quartiles <= m->samples * s->spread * s->spread;
}

static void summarise(struct measured *m, uint32_t count, const struct core_state *sum)
{
	static uint64_t sorted[MEASURE_SAMPLES_MAX];
	size_t rank = stats_interval_rank(count);
	uint64_t hz = machine_clock()->tsc_hz;
	struct core_state mean = { .chain = sum->chain / count };
	memcpy(sorted, samples, count * sizeof(sorted[0]));
	stats_sort(sorted, count);
	m->samples = count;
	m->ticks = stats_median(sorted, count);
	m->low = sorted[rank];
	m->high = sorted[count - 1 - rank];
	m->minimum = sorted[0];
	m->quartile[0] = sorted[count / 4];
	m->quartile[1] = sorted[count - 1 - count / 4];
	m->spread = stats_spread(m->low, m->high, m->ticks);
	m->ns = hz ? multiply_divide(m->ticks, 1000000000, hz) : 0;
	m->cycles = core_cycles(m->ticks, &mean);
}

/*
 * Of each two samples one. Where a loop has few speeds, so have samples of a few pairs of
 * batches, and their median would be the one or the other; of many, it comes to lie where the
 * mean does. How many there are then.
 */
static uint32_t join_samples(struct sampler *s, uint32_t count, struct core_state *sum)
{
	for (uint32_t i = 0; i < count / 2; i++)
		samples[i] = (samples[2 * i] + samples[2 * i + 1]) / 2;
	sum->chain = sum->chain / count * (count / 2);
	s->parts *= 2;
	return count / 2;
}

/* How many times a cell's time it waits for undisturbed samples. */
static const uint32_t patience_of[] = {
	[MEASURE_ALONE] = 5, [MEASURE_COMES_AGAIN] = 1, [MEASURE_LAST_TIME] = 5, [MEASURE_NOW] = 0
};

/*
 * The least number is taken however long it lasts, within reason: for some times the cell's time
 * undisturbed samples only. A few of those will do then; where there are not even a few, any are
 * taken, of a few blocks at least.
 */
static bool sample_until_late(struct sampler *s, uint32_t least, struct measured *m,
			      const char **why)
{
	struct core_state sum = { 0 };
	uint64_t start = machine_ticks(), cell = ticks_in(s->cell_ms);
	uint32_t count = 0, wanted = least, last_resorts = 0, patience = patience_of[turn];
	for (;;) {
		uint64_t spent = machine_ticks() - start;
		bool keep = spent >= patience * cell;
		*why = measure_later;
		if (turn == MEASURE_COMES_AGAIN && core_known() && count < least && keep)
			return false;
		if (count >= least && (spent >= cell || turn == MEASURE_NOW))
			break;
		if (keep && !last_resorts && count >= MEASURE_SAMPLES_FEW)
			break;
		if (spent >= (patience + 1) * cell &&
		    (count >= MEASURE_SAMPLES_FEW || last_resorts >= LAST_RESORTS))
			break;
		last_resorts += keep;
		uint32_t had = count;
		count = take_block(s, count, wanted, keep, &sum);
		counts.moves += count == had && is_crowded() && machine_move();
		if (count < wanted)
			continue;
		summarise(m, count, &sum);
		if (is_sure(s, m) || count == MEASURE_SAMPLES_MAX)
			return true;
		if (!s->shot && core_known() && count >= 2 * least)
			count = join_samples(s, count, &sum);
		wanted = 2 * count < MEASURE_SAMPLES_MAX ? 2 * count : MEASURE_SAMPLES_MAX;
	}
	/* On a busy machine all of the time can go by in one or two blocks. */
	for (unsigned i = 0; count < MEASURE_SAMPLES_FEW && i < MEASURE_SAMPLES_FEW; i++)
		count = take_block(s, count, MEASURE_SAMPLES_FEW, true, &sum);
	*why = "every sample was disturbed";
	if (count < MEASURE_SAMPLES_FEW)
		return false;
	summarise(m, count, &sum);
	return true;
}

static bool sample_cell(struct sampler *s, uint32_t least, struct measured *m, const char **why)
{
	uint64_t kept = counts.kept;
	bool done = sample_until_late(s, least, m, why);
	m->disturbed = counts.kept != kept;
	return done;
}

static bool measure(struct sampler *s, struct measured *m, const char **why)
{
	if (!find_size(s)) {
		*why = "too short for the step of the time-stamp counter";
		return false;
	}
	uint64_t start = machine_ticks();
	for (uint32_t i = 0; i < s->parts; i++)
		s->usual = s->odd = one_part(s, s->batch);
	bool slow = machine_ticks() - start > ticks_in(SLOW_SAMPLE_MS) || !core_known();
	return sample_cell(s, slow ? MEASURE_SAMPLES_FEW : MEASURE_SAMPLES_MIN, m, why);
}

bool measure_hot(uintptr_t entry, void *to, const void *from, size_t n, struct measured *m,
		 const char **why)
{
	struct sampler s = { .entry = entry,
			     .to = to,
			     .from = from,
			     .n = n,
			     .cell_ms = 20,
			     .block_ms = 2,
			     .spread = 500 };
	machine_time(entry, to, from, n, 1);
	return measure(&s, m, why);
}

static struct sampler shots(measure_shot *shot, void *context, uint32_t ms)
{
	return (struct sampler){
		.shot = shot, .context = context, .cell_ms = ms, .block_ms = 10, .spread = 2000
	};
}

bool measure_shots(measure_shot *shot, void *context, uint32_t ms, struct measured *m,
		   const char **why)
{
	struct sampler s = shots(shot, context, ms);
	return measure(&s, m, why);
}

bool measure_from(uintptr_t entry, const struct state *state, struct measured *m, const char **why)
{
	struct copy copy = { entry, state };
	struct sampler s = shots(copy_shot, &copy, 100);
	s.state = state;
	return measure(&s, m, why);
}

bool measure_operation(uintptr_t entry, uint32_t ms, struct measured *m, const char **why)
{
	struct sampler s = { .entry = entry, .cell_ms = ms, .block_ms = 2, .spread = 2000 };
	machine_time(entry, NULL, NULL, 0, 1);
	return measure(&s, m, why);
}

void measure_divide(struct measured *m, uint32_t count)
{
	uint64_t *const figures[] = { &m->ticks,  &m->low,     &m->high,        &m->ns,
				      &m->cycles, &m->minimum, &m->quartile[0], &m->quartile[1] };
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		*figures[i] /= count;
}

const struct measure_count *measure_count(void)
{
	return &counts;
}

uint64_t measure_kilobytes(size_t n, uint64_t ticks)
{
	/* bytes/s are 1000 n hz / ticks, and so are thousandths of KB/s */
	return ticks ? multiply_divide((uint64_t)n * 1000, machine_clock()->tsc_hz, ticks) : 0;
}
