# SPDX-License-Identifier: BSD-2-Clause
"""Whole rosters and all experiments in QEMU and Bochs: emulators.table, and runs of which
two have to be the same. For `tests/check --long`, since they take an hour."""

import functools

from test_boot import KERNELS, table_tests, twice_the_same


def tests():
    yield from table_tests("emulators.table")
    for width in KERNELS:
        yield f"twice the same, {width}", functools.partial(
            twice_the_same, f"all-{width}", "--cpu", "max", "--width", width, timeout=3000,
            args=["suite=standard", "seed=3"])
