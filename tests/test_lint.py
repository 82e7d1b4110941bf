# SPDX-License-Identifier: BSD-2-Clause
"""The source itself: layout, scripts, a second compiler, and what make says."""

import os

from harness import ROOT, command

# A make inside `make check` is a make of its own.
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}


def make(*words, timeout=300):
    return command("make", *words, timeout=timeout, env=ENVIRONMENT)


def test_lint():
    make("lint").expect(0)


def test_help_lists_the_targets():
    make("help").expect(0, "make all", "make run", "make hosted", "make check", "make deps")


def test_layers():
    """Who may include whom (docs/DEVEL.md)."""
    allowed = {
        "lib": {"lib"},
        "copies": {"lib", "copies"},
        "suite": {"lib", "copies", "suite"},
        "kernel": {"lib", "kernel", "suite/machine.h", "suite/suite.h", "copies/params.h"},
        "hosted": {"lib", "hosted", "suite/machine.h", "suite/suite.h", "copies/params.h"},
    }
    wrong = []
    for layer, may in allowed.items():
        for folder, _, names in os.walk(os.path.join(ROOT, layer)):
            for name in names:
                wrong += includes_beyond(os.path.join(folder, name), may)
    assert not wrong, "\n".join(wrong)


def includes_beyond(path, may):
    if not path.endswith((".c", ".h", ".asm", ".inc")):
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith('#include "') or "version.h" in line:
                continue
            target = line.split('"')[1]
            if target not in may and target.split("/")[0] not in may:
                yield f"{os.path.relpath(path, ROOT)} includes {target}"
