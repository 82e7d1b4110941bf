# SPDX-License-Identifier: BSD-2-Clause
"""The unit tests of tests/unit, one by one."""

import os

import harness

UNIT = os.path.join(harness.BUILD, "unit", "unit")


def one(name):
    return lambda: harness.command(UNIT, name).expect(0, f"ok 1 - {name}")


def tests():
    names = harness.command(UNIT, "--list").expect(0).out.decode().split()
    assert names, "no unit tests"
    return [(name.replace("_", " "), one(name)) for name in names]
