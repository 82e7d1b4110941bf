# SPDX-License-Identifier: BSD-2-Clause
"""Shows what a record says: the machine, the contract's results, and a table for each
experiment, as wide as the terminal.

  metalcopy show first.record
  metalcopy show --unit ticks/op --filter copy=rep_* first.record"""

import csv
import json
import shutil
import sys

from host import measured
from host.stats import median
from host.units import in_base, base_name, table

HELP = "show the tables of a record"

HEAD = ("cpu", "cpu-id", "timing", "hypervisor", "microcode", "cpus", "tsc-hz", "core-hz", "l1d",
        "l2", "l3", "prefetchers", "firmware", "version", "args")


def arguments(parser):
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE",
                        help="a log, or a folder of a store; - is standard input (default)")
    parser.add_argument("--unit", choices=measured.UNITS, default="MB/s", help="(MB/s)")
    parser.add_argument("--filter", default="", metavar="KEY=GLOB,...", help="only these cells")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--csv", action="store_true", help="for spreadsheets")


def contract(run):
    """(kept, broken, expected failures, skipped) and the broken tests' names."""
    skipped = sum(test.directive == "SKIP" for test in run.tests)
    todo = sum(test.directive == "TODO" and not test.ok for test in run.tests)
    broken = [test.name for test in run.tests if test.broken]
    return len(run.tests) - skipped - todo - len(broken), broken, todo, skipped


def unit_for(run, names, unit):
    """The unit asked for, or ticks where these cells have none of it."""
    return unit if any(run.values(name, unit) for name in names) else "ticks/op"


def pivot(run, names, unit):
    """{(keys but copy, values)} x copies: for each setting a row of medians by routine."""
    keys = measured.varying_keys(names)
    rows, copies = {}, {}
    for name in names:
        value = measured.median_of(run, name, unit)
        if value is None:
            continue
        pairs = measured.keys_of(name)
        setting = tuple(pairs.get(key, "") for key in keys)
        copy = copies.setdefault(pairs.get("copy", ""), len(copies))
        rows.setdefault(setting, {})[copy] = value
    ordered = sorted(rows, key=lambda setting: [measured.number(value) for value in setting])
    return keys, list(copies), {setting: rows[setting] for setting in ordered}


def experiment_lines(run, names, unit, columns):
    """A table with a column a routine, in as many blocks as the width demands."""
    keys, copies, rows = pivot(run, names, unit)
    order = sorted(range(len(copies)), key=copies.__getitem__)
    wide = max([9, *map(len, copies)]) + 2
    first = sum(max(map(len, [key, *(setting[i] for setting in rows)])) + 2
                for i, key in enumerate(keys))
    block = max(1, (columns - first) // wide)
    for start in range(0, len(order), block):
        part = order[start:start + block]
        lines = [[*keys, *(copies[column] for column in part)]]
        for setting, values in rows.items():
            lines.append([*setting, *(in_base(values[column], unit) if column in values else "-"
                                      for column in part)])
        yield from table(lines, left=0)
        yield ""


def print_text(run, args, columns):
    print(f"== {run.name}: status={run.status}")
    print("\n".join(table([[key, run.meta.get(key, "?")] for key in HEAD], left=2)))
    for remark in run.remarks:
        print(f"!! {remark}")
    kept, broken, todo, skipped = contract(run)
    print(f"contract: {kept} kept, {len(broken)} broken, {todo} not claimed and not kept, "
          f"{skipped} skipped")
    for name in broken:
        print(f"  BROKEN: {name}")
    wanted = measured.parse_filter(args.filter)
    for experiment, names in measured.experiments(run).items():
        names = [name for name in names if measured.chosen(name, wanted)]
        if not names:
            continue
        unit = unit_for(run, names, args.unit)
        emulated = "; emulated: these figures say nothing about a CPU" * run.emulated
        print(f"\n-- {experiment}, median {base_name(unit)}{emulated}")
        print("\n".join(experiment_lines(run, names, unit, columns)).rstrip("\n"))


def rows(runs, wanted):
    for run in runs:
        for name in run.cells:
            if measured.chosen(name, wanted):
                for unit, values in run.units_of(name).items():
                    yield {"record": run.name, "cell": name, "unit": unit,
                           "rounds": len(values), "median": median(values)}


def main(args):
    runs = measured.load(args.files)
    wanted = measured.parse_filter(args.filter)
    if args.json:
        json.dump([{"record": run.name, "meta": run.meta, "status": run.status,
                    "remarks": run.remarks,
                    "cells": {name: {unit: list(values)
                                     for unit, values in run.units_of(name).items()}
                              for name in run.cells if measured.chosen(name, wanted)},
                    "tests": [vars(test) for test in run.tests]} for run in runs],
                  sys.stdout, indent=1)
        print()
    elif args.csv:
        writer = csv.DictWriter(sys.stdout, ["record", "cell", "unit", "rounds", "median"],
                                lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(runs, wanted))
    else:
        columns = shutil.get_terminal_size((100, 24)).columns
        for run in runs:
            print_text(run, args, columns)
    return 0
