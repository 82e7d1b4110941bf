# SPDX-License-Identifier: BSD-2-Clause
"""What records measured: cells by name and unit, without the lines that they came from."""

import fnmatch
import functools
import os
import re
import sys
from array import array
from collections import Counter
from dataclasses import dataclass, field

from host import record as records
from host.cli import Refused
from host.stats import median

UNITS = ("ns/op", "MB/s", "ticks/op", "cycles/op")
HIGHER_IS_BETTER = {"MB/s"}

# In all lines of a record at once, each with a line end before it: several times as fast as
# taking them apart one by one.
CELL = re.compile(rb"\nBenchmark[^/\n]*/([^ \n]+)")
FIGURES = re.compile(rb"\nBenchmark\S+ \d+ (.*)")
DISTURBED = re.compile(rb"\nBenchmark[^/\n]*/([^ \n]+)[^\n]*(?=\n#[^\n]*"
                       + re.escape(records.UNRELIABLE) + rb"(?:\n|$))")
SERIES = rb"\nBenchmark[^/\n]*/(\S+) .*? (\S+) %s(?![^ \n])"


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
    cells: list  # benchmark names, without "Copy/", in the order of the record
    series: dict  # unit -> name -> array of values
    tests: list = field(default_factory=list)
    text: list = field(default_factory=list)  # the lines for people, without "# "
    remarks: list = field(default_factory=list)  # records.remarks(), as text

    @property
    def emulated(self):
        return self.meta.get("timing") == "emulated"

    def values(self, cell, unit):
        return self.series.get(unit, {}).get(cell, ())

    def units_of(self, cell):
        """unit -> values of one cell"""
        return {unit: cells[cell] for unit, cells in self.series.items() if cell in cells}


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


def cells_of(record):
    """The names of its cells, in the order of the record."""
    return [sys.intern(cell.decode())
            for cell in dict.fromkeys(CELL.findall(text_of(record)))]


def text_of(record):
    return b"\n".join([b"", *record.lines])


def relied_on(text):
    """Without the figures that the record itself calls disturbed, where their cells have others."""
    if records.UNRELIABLE not in text:
        return text
    unreliable = Counter(match[1] for match in DISTURBED.finditer(text))
    rounds = Counter(CELL.findall(text))
    return DISTURBED.sub(
        lambda match: b"" if rounds[match[1]] > unreliable[match[1]] else match[0], text)


def run_of(record, name, units=None, details=True):
    """The results in a whole record. `units`: only these; details: tests and text too."""
    text = relied_on(text_of(record))
    if units is None:
        units = dict.fromkeys(unit.decode() for figures in FIGURES.findall(text)
                              for unit in figures.split()[1::2])
    run = Run(name, record.meta(), record.end[2], cells_of(record),
              {unit: _series(text, unit) for unit in units},
              remarks=[remark.text for remark in records.remarks(record)])
    if details:
        for line in record.lines:
            if line.startswith(b"# "):
                run.text.append(line[2:].decode())
            elif match := records.TEST.match(line):
                _, _, title, directive, why = (
                    part.decode() if part else "" for part in match.groups())
                run.tests.append(Test(not match[1], title, directive, why))
    return run


def _series(text, unit):
    """name -> values in one unit. The lines are known to be good: name, samples, and pairs
    of figure and unit."""
    found = {}
    for name, value in re.findall(SERIES % re.escape(unit.encode()), text):
        found.setdefault(name, []).append(value)
    return {sys.intern(name.decode()): array("d", map(float, values))
            for name, values in found.items()}


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
    """Each whole record of a file; the others are complained about."""
    with sys.stdin.buffer if path == "-" else open(path, "rb") as stream:
        for position, record in enumerate(records.read_records(stream), 1):
            if record.whole:
                yield record
            else:
                problem = record.problems[0]
                complain(f"{path}: record {position} is left out: line {problem.line}: "
                         f"{problem.text}")


def runs_of(path, **options):
    """The runs of a file's good records, named after it."""
    name = "stdin" if path == "-" else os.path.basename(path).removesuffix(".record")
    runs = [run_of(record, name, **options) for record in good_records(path)]
    if len(runs) > 1:
        for position, run in enumerate(runs, 1):
            run.name = f"{name}#{position}"
    return runs


def load(paths, first=None, later=None, **options):
    """The runs of all good records in these files and folders; at least one. `later`: other
    options for the files after the `first`."""
    runs = []
    for number_, file in enumerate(file for path in paths for file in files_of(path)):
        runs += runs_of(file, **(later if later and number_ >= first else options))
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
    if not wanted:
        return True
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
