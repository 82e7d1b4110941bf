# SPDX-License-Identifier: BSD-2-Clause
"""The statistics of a comparison, as benchstat has them: medians with order-statistic
intervals, the Mann-Whitney test, and Holm's correction over a table."""

import functools
import itertools
import math
from bisect import bisect_left, bisect_right
from collections import Counter

INTERVAL_SAMPLES = 6  # with fewer, no interval of order statistics reaches 95 %
EXACT_MAX = 8  # the exact distribution is used up to this size of the smaller sample


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


@functools.lru_cache(maxsize=None)
def _interval_rank(count, level):
    """How many samples from either end the interval's limits lie, from 0; None: it has none.

    The k-th smallest and k-th largest enclose the median with probability
    1 - 2 P(Binomial(count, 1/2) < k)."""
    best, below, probability = None, 0.0, 0.5 ** count
    for rank in range(count // 2):
        below += probability * math.comb(count, rank)
        if 1 - 2 * below < level:
            break
        best = rank
    return best


def median_interval(values, level=0.95):
    """(low, high) of the median, or None with fewer than INTERVAL_SAMPLES values."""
    if len(values) < INTERVAL_SAMPLES:
        return None
    rank = _interval_rank(len(values), level)
    ordered = sorted(values)
    return ordered[rank], ordered[-1 - rank]


@functools.lru_cache(maxsize=256)
def _exact_tail(size, other):
    """P(U >= u) for u = 0 ... size * other, without ties."""
    # ways[s][u]: choices of s ranks so far whose U is u; ranks are added one by one.
    ways = [[0] * (size * other + 1) for _ in range(size + 1)]
    ways[0][0] = 1
    for rank in range(size + other):
        for chosen in range(min(size, rank + 1), 0, -1):
            # The rank-th value passes as many of the other sample as were not chosen.
            passed = rank - (chosen - 1)
            if passed > other:
                continue
            for u in range(size * other, passed - 1, -1):
                ways[chosen][u] += ways[chosen - 1][u - passed]
    total, tail = math.comb(size + other, size), []
    running = 0
    for count in reversed(ways[size]):
        running += count
        tail.append(running / total)
    return tail[::-1]


def mann_whitney(first, second):
    """The two-sided p value; exact as scipy's method="auto" is: few samples and no ties."""
    if not first or not second:
        return 1.0
    n, m, ordered = len(first), len(second), sorted(first)
    # Pairs in which the second sample's value is the larger; a tie counts half.
    u = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in second) / 2
    u = max(u, n * m - u)
    if min(n, m) <= EXACT_MAX and len({*first, *second}) == n + m:
        return min(1.0, 2 * _exact_tail(n, m)[int(u)])
    tie_term = sum(tied ** 3 - tied for tied in Counter([*first, *second]).values())
    spread = math.sqrt(n * m / 12 * (n + m + 1 - tie_term / ((n + m) * (n + m - 1))))
    if spread == 0:
        return 1.0
    z = (u - n * m / 2 - 0.5) / spread
    return min(1.0, math.erfc(z / math.sqrt(2)))


def least_p(n, m):
    """The p value of two samples of which every value of one is above all of the other."""
    return mann_whitney(range(n), range(n, n + m))


def samples_for(p):
    """How many values of each sample it takes for a p value so small."""
    return next(n for n in itertools.count(1) if least_p(n, n) <= p)


def holm(values):
    """Holm's step-down correction: adjusted p values, in the order given."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted, highest = [0.0] * len(values), 0.0
    for step, index in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - step) * values[index]))
        adjusted[index] = highest
    return adjusted


def geometric_mean(values):
    return math.exp(math.fsum(map(math.log, values)) / len(values))
