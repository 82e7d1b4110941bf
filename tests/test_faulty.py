#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The proof of the proof: each routine of tests/faulty has one seeded defect, and the suite
must fail it, by name, while it passes the sound routine that `source` names, and the run
goes on. Run as a program, prints one line a faulty routine."""

import glob
import os
import re
import sys

from harness import BUILD, ROOT, command, emulate, metalcopy

FOLDER = os.path.join(ROOT, "tests", "faulty")
WIDTH = {"hosted": "64", "x86_64": "64", "i386": "32"}
TIMEOUT = 600


def declared():
    """The faulty routines: name -> (what is wrong, the sound routine, widths)."""
    found = {}
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.asm"))):
        with open(path, encoding="ascii") as file:
            text = file.read()
        name, title = re.search(r'^routine faulty_(\w+), "(.*)"$', text, re.MULTILINE).groups()
        assert name == os.path.basename(path)[:-4], f"{path} declares {name}"
        original = re.search(r'^source  "(.*)"$', text, re.MULTILINE).group(1)
        widths = re.search(r"^widths  (.*)$", text, re.MULTILINE).group(1).split(", ")
        found[name] = title, original, widths
    return found


def record_of(machine):
    """The record of a run of all faulty routines and the sound ones that they vary."""
    originals = sorted({original for _, original, _ in declared().values()})
    words = "suite=quick", "exp=none", "copy=faulty_*," + ",".join(originals)
    if machine == "hosted":
        done = command(os.path.join(BUILD, "hosted", "faulty"), *words, timeout=TIMEOUT)
    else:
        done = emulate("--image", f"{BUILD}/{machine}/faulty.elf", "--cpu", "max", "--", *words,
                       timeout=TIMEOUT)
    metalcopy("check", stdin=done.expect(1).out).expect(0, "whole, status=fail")
    return done.out.decode()


def results(record):
    """routine -> list of (failed, skipped, the YAML block under it), a line each, without the
    grades that it does not claim."""
    found = {}
    for line, block in re.findall(r"^((?:not )?ok \d+ - contract .*)\n((?:  .*\n)*)", record,
                                  re.MULTILINE):
        name = line.split(" - contract ")[1].split()[0]
        if "# TODO" not in line:
            found.setdefault(name, []).append((line.startswith("not"), "# SKIP" in line, block))
    return found


def first(block, key):
    match = re.search(rf"^  {key}: ['\"](.*)['\"]$", block, re.MULTILINE)
    return match.group(1) if match else ""


def in_words(block):
    """Which check caught it, and on which case."""
    breach, case = first(block, "breach"), first(block, "case")
    detail = first(block, "broken") or first(block, "fault")
    return breach + (f" ({detail})" if detail else "") + (f" [{case}]" if case else "")


def judge(machine):
    """routine -> how it was caught ("" where it could not be run), and what went wrong."""
    found, caught, wrong = results(record_of(machine)), {}, []
    for name, (title, original, widths) in declared().items():
        lines = found.get("faulty_" + name, [])
        failures = [block for failed, _, block in lines if failed]
        if WIDTH[machine] not in widths:
            continue
        if failures:
            caught[name] = in_words(failures[0])
        elif lines and all(skipped for _, skipped, _ in lines):
            caught[name] = ""
        else:
            wrong.append(f"{machine}: faulty_{name} passes: {title}")
        sound = found.get(original, [])
        if not sound or any(failed for failed, _, _ in sound):
            wrong.append(f"{machine}: {original} does not pass")
    return caught, wrong


def no_faulty_one_passes(machine):
    caught, wrong = judge(machine)
    assert not wrong, "\n".join(wrong)
    assert sum(map(bool, caught.values())) >= 40, f"only {len(caught)} could be run"


def tests():
    return [(f"every faulty routine is caught, {machine}",
             lambda machine=machine: no_faulty_one_passes(machine)) for machine in WIDTH]


def main():
    wrong, how = [], {}
    for machine in WIDTH:
        caught, more = judge(machine)
        wrong += more
        for name, words in caught.items():
            how.setdefault(name, []).append((machine, words))
    for name, (title, original, _) in declared().items():
        seen = [(machine, words) for machine, words in how.get(name, []) if words]
        if seen:
            print(f"caught  {name}: {title}: {seen[0][1]} "
                  f"({', '.join(machine for machine, _ in seen)}; {original} passes)")
        else:
            print(f"MISSED  {name}: {title}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
