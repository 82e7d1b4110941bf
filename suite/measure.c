/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/measure.h"

#include "lib/frequency.h"
#include "lib/probe.h"
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

/* Of a hot cell. */
#define BLOCK_SAMPLES MEASURE_SAMPLES_FEW

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
	const struct state *state; /* that its shots start from; NULL: none that is proved */
	uint32_t batch;
	uint32_t cell_ms, block_ms; /* its time, and how often the core is looked at */
	uint64_t spread;            /* what to reach, in thousandths of a percent */
};

static uint64_t ticks_in(uint32_t ms)
{
	uint64_t hz = machine_clock()->tsc_hz;
	return (hz ? hz : CLOCKLESS_HZ) / 1000 * ms;
}

/* ------------------------------------------------------------ one sample */

/* Ticks that `batch` copies take, free of the bracket; 0 where disturbed. */
static uint64_t difference(const struct sampler *s, uint32_t batch)
{
	uint64_t one = machine_time(s->entry, s->to, s->from, s->n, batch);
	uint64_t two = machine_time(s->entry, s->to, s->from, s->n, 2 * (size_t)batch);
	return two > one ? two - one : 0;
}

void measure_turn(enum measure_turn now)
{
	turn = now;
}

uint64_t measure_once(uintptr_t entry, void *to, const void *from, size_t n)
{
	uint64_t empty = machine_time(0, NULL, NULL, 0, 0);
	if (empty < empty_bracket)
		empty_bracket = empty;
	uint64_t ticks = machine_time(entry, to, from, n, 1);
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

static uint64_t take(const struct sampler *s, uint32_t batch)
{
	uint64_t sum = 0;
	if (!s->shot)
		return difference(s, batch);
	for (uint32_t i = 0; i < batch; i++)
		sum += s->shot(s->context);
	return sum;
}

static uint64_t smallest(const struct sampler *s)
{
	return (uint64_t)(s->shot ? MEASURE_STEPS_SHOT : MEASURE_STEPS) * machine_clock()->tsc_step;
}

static uint32_t largest_batch(const struct sampler *s)
{
	return s->shot ? SHOTS_MAX : BATCH_MAX;
}

/* The smallest power of two with which a sample always rests on enough; 0 if there is
 * none. */
static uint32_t find_batch(const struct sampler *s)
{
	for (uint32_t batch = 1; batch <= largest_batch(s); batch *= 2) {
		unsigned tries = 0;
		while (tries < 3 && take(s, batch) >= smallest(s))
			tries++;
		if (tries == 3)
			return batch;
	}
	return 0;
}

/* ------------------------------------------------------------ many samples */

/*
 * Samples until there are `wanted` or the time is up; how many there are then. Where the
 * first are all too short, the core was slower when the batch was found: it is doubled.
 */
static uint32_t take_some(struct sampler *s, uint32_t have, uint32_t wanted, uint64_t end)
{
	uint32_t before = have, too_short = 0;
	while (have < wanted) {
		uint64_t disturbances = machine_disturbances();
		uint64_t ticks = take(s, s->batch);
		counts.taken++;
		if (machine_disturbances() != disturbances) {
			counts.preempted++;
		} else if (ticks >= smallest(s)) {
			samples[have++] = ticks * 1000 / s->batch;
		} else {
			counts.interrupted++;
			if (have == before && ++too_short % MEASURE_SAMPLES_FEW == 0 &&
			    s->batch < largest_batch(s))
				s->batch *= 2;
		}
		if (machine_ticks() >= end)
			break;
	}
	return have;
}

/*
 * What cannot be masked or counted (SMIs of many CPUs, a hypervisor's own work) shows as a
 * gap: a sample too long, or too short where it fell into the smaller batch. Far from the
 * block's median, by half of it and by more than any cache makes in so short a time, it is
 * thrown away. How many are left.
 */
static uint32_t drop_gaps(const struct sampler *s, uint64_t *block, uint32_t count)
{
	uint64_t gap = ticks_in(1) * GAP_US / s->batch;
	uint32_t kept = 0;
	if (count < MEASURE_SAMPLES_FEW)
		return count;
	stats_sort(block, count);
	uint64_t median = stats_median(block, count);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t far = block[i] > median ? block[i] - median : median - block[i];
		if (far <= gap || far <= median / 2)
			block[kept++] = block[i];
	}
	counts.interrupted += count - kept;
	return kept;
}

/*
 * A loop that calls a short routine settles to one of several speeds, a cycle or more apart, by
 * what the branch predictors have learnt on the way to it, and keeps it for milliseconds. Hot
 * cells are taken in many small blocks, each of which settles anew.
 */
static void unsettle(void)
{
	static size_t seed = 1;
	seed = probe_branches(NULL, NULL, seed);
}

/*
 * A block of samples between two looks at the core, which throw it away when
 * something changed; not where `keep` says that there is no time left for better
 * ones. Sums up the chain for each sample, for the cycles.
 */
static uint32_t take_block(struct sampler *s, uint32_t have, uint32_t wanted, bool keep,
			   struct core_state *sum)
{
	struct core_state before, after;
	uint64_t end = machine_ticks() + ticks_in(s->block_ms);
	if (!core_known())
		return take_some(s, have, wanted, end);
	if (!s->shot) {
		unsettle();
		wanted = wanted < have + BLOCK_SAMPLES ? wanted : have + BLOCK_SAMPLES;
	}
	core_look(&before);
	uint32_t count = take_some(s, have, wanted, end) - have;
	count = drop_gaps(s, samples + have, count);
	core_look(&after);
	enum core_verdict verdict = core_judge(&before, &after);
	if (verdict == CORE_STEADY && s->state && !state_holds(s->state))
		verdict = CORE_SHARED;
	if (verdict != CORE_STEADY && !keep) {
		*(verdict == CORE_CLOCK ? &counts.clock : &counts.shared) += count;
		return have;
	}
	if (verdict != CORE_STEADY)
		counts.kept += count;
	sum->chain += core_chain(&before, &after) * count;
	return have + count;
}

static void summarise(struct measured *m, uint32_t count, const struct core_state *sum)
{
	size_t rank = stats_interval_rank(count);
	uint64_t hz = machine_clock()->tsc_hz;
	struct core_state mean = { .chain = sum->chain / count };
	stats_sort(samples, count);
	m->samples = count;
	m->ticks = stats_median(samples, count);
	m->low = samples[rank];
	m->high = samples[count - 1 - rank];
	m->minimum = samples[0];
	m->quartile[0] = samples[count / 4];
	m->quartile[1] = samples[count - 1 - count / 4];
	m->spread = stats_spread(m->low, m->high, m->ticks);
	m->ns = hz ? multiply_divide(m->ticks, 1000000000, hz) : 0;
	m->cycles = core_cycles(m->ticks, &mean);
}

/* How many times a cell's time it waits for undisturbed samples. */
static const uint32_t patience_of[] = {
	[MEASURE_ALONE] = 3, [MEASURE_COMES_AGAIN] = 1, [MEASURE_LAST_TIME] = 1, [MEASURE_NOW] = 0
};

/* The least number is taken however long it lasts, within reason: for some times the
 * cell's time undisturbed samples only, then any, of a few blocks at least. */
static bool sample_cell(struct sampler *s, uint32_t least, struct measured *m, const char **why)
{
	struct core_state sum = { 0 };
	uint64_t start = machine_ticks(), cell = ticks_in(s->cell_ms);
	uint32_t count = 0, wanted = least, last_resorts = 0, patience = patience_of[turn];
	for (;;) {
		uint64_t spent = machine_ticks() - start;
		bool keep = spent >= patience * cell,
		     late = spent >= (count < least ? patience + 1 : 1) * cell;
		*why = measure_later;
		if (turn == MEASURE_COMES_AGAIN && core_known() && count < least && keep)
			return false;
		if (late && (count >= MEASURE_SAMPLES_FEW || last_resorts >= LAST_RESORTS))
			break;
		last_resorts += keep;
		count = take_block(s, count, wanted, keep, &sum);
		if (count < wanted)
			continue;
		summarise(m, count, &sum);
		if (m->spread <= s->spread || count == MEASURE_SAMPLES_MAX)
			return true;
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

static bool measure(struct sampler *s, struct measured *m, const char **why)
{
	s->batch = find_batch(s);
	if (!s->batch) {
		*why = "too short for the step of the time-stamp counter";
		return false;
	}
	uint64_t start = machine_ticks();
	take(s, s->batch);
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
