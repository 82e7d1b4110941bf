# SPDX-License-Identifier: BSD-2-Clause
"""What records measured: cells by name and unit, without the lines that they came from."""

import fnmatch
import functools
import os
import sys
from array import array
from dataclasses import dataclass, field

from host import record as records
from host.cli import Refused
from host.stats import median

UNITS = ("ns/op", "MB/s", "ticks/op", "cycles/op")
HIGHER_IS_BETTER = {"MB/s"}


@dataclass
class Test:
    ok: bool
    name: str
    directive: str  # "TODO", "SKIP" or ""
    why: str

    @property
    def broken(self):
        return not self.ok and not self.directive


@dataclass
class Run:
    """One record's results. A cell's values stand in the order of its rounds."""
    name: str
    meta: dict
    status: str
    cells: dict  # benchmark name, without "Copy/" -> unit -> array of values
    tests: list = field(default_factory=list)
    text: list = field(default_factory=list)  # the lines for people, without "# "

    @property
    def emulated(self):
        return self.meta.get("timing") == "emulated"

    def values(self, cell, unit):
        return self.cells[cell].get(unit, ())


@functools.lru_cache(maxsize=1 << 16)
def keys_of(name):
    """The key=value pairs of a benchmark name, in their order."""
    pairs = (part.partition("=") for part in name.split("/"))
    return {key: value for key, equals, value in pairs if equals}


def number(text):
    """For sorting: figures by their value, and before words."""
    try:
        return (0, float(text), "")
    except ValueError:
        return (1, 0.0, text)


def order(name):
    """For sorting cells as people would: experiment, routine, then figures by value."""
    return [number(value) for value in keys_of(name).values()]


def run_of(record, name, units=None, details=True):
    """The results in a whole record. `units`: only these; details: tests and text too."""
    run = Run(name, record.meta(), record.end[2], {})
    for line in record.lines:
        if line.startswith(b"Benchmark"):
            _add_cell(run, line, units)
        elif details and line.startswith(b"# "):
            run.text.append(line[2:].decode())
        elif details and (match := records.TEST.match(line)):
            _, _, title, directive, why = (part.decode() if part else "" for part in match.groups())
            run.tests.append(Test(not match[1], title, directive, why))
    return run


def _add_cell(run, line, units):
    """The line is known to be good: name, samples, and pairs of figure and unit."""
    name, _, *figures = line.decode().split(" ")
    name = sys.intern(name.partition("/")[2])
    cell = run.cells.get(name)
    if cell is None:
        cell = run.cells[name] = {}
    for value, unit in zip(figures[::2], figures[1::2]):
        if units is not None and unit not in units:
            continue
        values = cell.get(unit)
        if values is None:
            values = cell[sys.intern(unit)] = array("d")
        values.append(float(value))


# ------------------------------------------------------------ reading files

def complain(text):
    print(f"metalcopy: {text}", file=sys.stderr)


def files_of(path):
    """The files that a path names: itself, or every record under a folder (a store)."""
    if not os.path.isdir(path):
        return [path]
    found = sorted(os.path.join(folder, name) for folder, _, names in os.walk(path)
                   for name in names if name.endswith(".record"))
    if not found:
        raise Refused(f"{path}: no *.record files in this folder")
    return found


def good_records(path):
    """(name, record) for each whole record of a file; the others are complained about."""
    found = []
    stream = sys.stdin.buffer if path == "-" else open(path, "rb")
    with stream:
        for number_, record in enumerate(records.read_records(stream), 1):
            if record.whole:
                found.append(record)
            else:
                problem = record.problems[0]
                complain(f"{path}: record {number_} is left out: line {problem.line}: "
                         f"{problem.text}")
    label = "stdin" if path == "-" else os.path.basename(path).removesuffix(".record")
    for position, record in enumerate(found, 1):
        yield (label if len(found) == 1 else f"{label}#{position}"), record


def load(paths, **options):
    """The runs of all good records in these files and folders; at least one."""
    runs = [run_of(record, name, **options)
            for path in paths for file in files_of(path) for name, record in good_records(file)]
    if not runs:
        raise Refused(f"no good record in {', '.join(paths)}; `metalcopy check` says more")
    return runs


# ------------------------------------------------------------ choosing cells

def parse_filter(text):
    """ "exp=size,copy=rep_*" -> {key: glob}."""
    wanted = {}
    for part in filter(None, text.split(",")):
        key, equals, glob = part.partition("=")
        if not equals or not key:
            raise Refused(f"--filter {part}: should be KEY=GLOB, as in exp=size,copy=rep_*")
        wanted[key] = glob
    return wanted


def chosen(name, wanted):
    keys = keys_of(name)
    return all(fnmatch.fnmatchcase(keys.get(key, ""), glob) for key, glob in wanted.items())


def median_of(run, cell, unit):
    values = run.values(cell, unit)
    return median(values) if values else None


def varying_keys(names):
    """The keys that differ between these cells, exp and copy left out, in their order."""
    seen = {}
    for name in names:
        for key, value in keys_of(name).items():
            seen.setdefault(key, set()).add(value)
    return [key for key, values in seen.items() if len(values) > 1 and key not in ("exp", "copy")]


def experiments(run):
    """experiment -> names of its cells, in the order of the record."""
    found = {}
    for name in run.cells:
        found.setdefault(keys_of(name).get("exp", ""), []).append(name)
    return found
