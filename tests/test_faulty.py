# SPDX-License-Identifier: BSD-2-Clause
"""The proof of the proof: a routine with a seeded defect is failed by name, and the run goes on."""

import os
import re

from harness import BUILD, command, metalcopy

# What the suite must fail, as it stands in the record.
BROKEN = [f"contract missing_entry {form} {grade}"
          for form in ("to_user", "from_user") for grade in ("safe", "literal")]


def caught(result):
    """The record of a run with faulty routines: whole, and they and no others are failed."""
    record = result.expect(1).out.decode()
    metalcopy("check", stdin=result.out).expect(0, "whole, status=fail")
    failed = re.findall(r"^not ok \d+ - ([^#\n]*)$", record, re.MULTILINE)
    assert failed == BROKEN, f"{failed}\n{result}"
    assert re.search(r"#PF page fault.*missing_entry\.to_user\+0x", record), result


def test_missing_entry_hosted():
    caught(command(os.path.join(BUILD, "hosted", "faulty"), "suite=quick"))


def test_missing_entry_i386():
    caught(metalcopy("run", "--image", f"{BUILD}/i386/faulty.elf"))


def test_missing_entry_x86_64():
    caught(metalcopy("run", "--image", f"{BUILD}/x86_64/faulty.elf"))
