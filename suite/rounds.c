/* SPDX-License-Identifier: BSD-2-Clause */
#include "suite/rounds.h"

#include "suite/machine.h"
#include "suite/measure.h"
#include "suite/options.h"
#include "suite/stats.h"

#define PASSES 3u

uint64_t rounds_cap(void)
{
	switch (suite_options()->level) {
	case SUITE_QUICK:
		return 2000;
	case SUITE_STANDARD:
		return 20000;
	default:
		return 0;
	}
}

bool rounds_over(uint64_t begun)
{
	uint64_t most = machine_clock()->tsc_hz / 1000 * 2 * rounds_cap();
	return most && machine_ticks() - begun > most;
}

void rounds_visit(uint32_t *order, uint32_t cells, struct random *r, uint64_t begun,
		  rounds_measure *measure, void *context)
{
	stats_shuffle(r, order, cells);
	for (unsigned i = 0; i < PASSES; i++) {
		uint32_t left = 0;
		for (uint32_t j = 0; j < cells; j++) {
			measure_turn(rounds_over(begun) ? MEASURE_NOW
				     : i + 1 < PASSES   ? MEASURE_COMES_AGAIN
							: MEASURE_LAST_TIME);
			if (!measure(order[j], context))
				order[left++] = order[j];
		}
		cells = left;
	}
	measure_turn(MEASURE_ALONE);
}
