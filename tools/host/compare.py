# SPDX-License-Identifier: BSD-2-Clause
"""Compares records cell by cell, as benchstat does: medians with 95 % intervals, the
difference to a baseline, and whether it could be chance (Mann-Whitney, corrected by
Holm over the whole table; ~ where it could).

A series is [NAME=]FILE[,FILE...]: its records' rounds are pooled. FILE may be a log
with several records, or a folder of a store. An interval takes 6 rounds or more.

  metalcopy compare old.record new.record
  metalcopy compare zen4=a.record,b.record skylake=c.record,d.record
  metalcopy compare --by copy --filter exp=size --baseline rep_movsb a.record
  metalcopy compare --by version store/

exit status: 0 compared, 2 nothing to compare, or emulated against real without --mixed"""

import csv
import json
import os
import sys
from array import array
from dataclasses import dataclass, field

from host import measured, stats
from host.cli import Refused
from host.units import base_name, in_base, table

HELP = "compare records, cell by cell"

DEFAULT_UNITS = ("ns/op", "ticks/op")  # the second where a machine knows no time

REMARKS_MAX = 12

# Conditions that make figures incomparable unless that is what is compared.
CONDITIONS = ("timing", "goarch", "microcode", "prefetchers", "hypervisor")


def arguments(parser):
    parser.add_argument("series", nargs="+", metavar="[NAME=]FILE[,FILE...]",
                        help="records that belong together")
    parser.add_argument("--by", metavar="KEY", help="columns are the values of this key instead: "
                        "of a cell (copy, n, ...) or of the record (version, cpu-id, ...)")
    parser.add_argument("--baseline", metavar="NAME", help="compare with this column (the first)")
    parser.add_argument("--unit", action="append", choices=measured.UNITS,
                        help="may be given again (ns/op, or ticks/op where there is no ns/op)")
    parser.add_argument("--filter", default="", metavar="KEY=GLOB,...",
                        help="only these cells, as in exp=size,copy=rep_*")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P",
                        help="differences with a larger corrected p are shown as ~ (0.05)")
    parser.add_argument("--mixed", action="store_true",
                        help="compare emulated with real timing all the same")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--csv", action="store_true", help="for spreadsheets")


@dataclass
class Series:
    name: str
    runs: list = field(default_factory=list)
    cells: dict = field(default_factory=dict)  # unit -> row -> values

    def add(self, unit, row, values):
        rows = self.cells.setdefault(unit, {})
        rows[row] = rows[row] + values if row in rows else values


@dataclass(slots=True)
class Comparison:
    """One cell of one column against the baseline's."""
    row: str
    column: int
    values: array
    median: float
    base: array = None  # None: this is the baseline's own, or it has no such cell
    base_median: float = None
    p: float = None
    p_corrected: float = None

    @property
    def change(self):
        return self.median / self.base_median - 1 if self.base_median else float("inf")


# ------------------------------------------------------------ series

def read_series(words, units):
    """One series a word, with the runs of its files."""
    found = []
    for word in words:
        name, equals, files = word.partition("=")
        if not equals or os.path.exists(word):
            name, files = None, word
        paths = [word] if os.path.exists(word) else files.split(",")
        runs = measured.load(paths, units=units, details=False)
        label = name or os.path.basename(paths[0].rstrip("/")).removesuffix(".record")
        if any(series.name == label for series in found):
            label = name or f"{label}#{len(found) + 1}"
        found.append(Series(label, runs))
    return found


def by_input(found, wanted):
    for series in found:
        for run in series.runs:
            for unit, cells in run.series.items():
                for cell, values in cells.items():
                    if measured.chosen(cell, wanted):
                        series.add(unit, cell, values)
    return found


def by_key(found, key, wanted):
    """The same runs, sorted into columns by a key of the cells or of the records."""
    columns = {}
    for run in (run for series in found for run in series.runs):
        of_record = run.meta.get(key)
        for unit, cells in run.series.items():
            for cell, values in cells.items():
                value, row = (of_record, cell) if of_record else without(cell, key)
                if value is None or not measured.chosen(cell, wanted):
                    continue
                column = columns.setdefault(value, Series(value))
                if run not in column.runs[-1:]:
                    column.runs.append(run)
                column.add(unit, row, values)
    if not columns:
        raise Refused(f"--by {key}: no cell and no record has that key")
    return [columns[value] for value in sorted(columns, key=measured.number)]


def without(cell, key):
    """A key's value, or None, and the name that the cell has without it."""
    keys = measured.keys_of(cell)
    return keys.get(key), "/".join(f"{k}={v}" for k, v in keys.items() if k != key)


# ------------------------------------------------------------ conditions

def conditions(found):
    """What differs between the series' conditions, in words."""
    differ = []
    for key in CONDITIONS:
        values = [sorted({run.meta.get(key, "n/a") for run in series.runs}) for series in found]
        if len({value for several in values for value in several}) > 1:
            differ.append(f"{key}: " + "; ".join(
                f"{series.name} {' and '.join(several)}"
                for series, several in zip(found, values)))
    return differ


def check_mixed(found, allowed):
    emulated = {run.emulated for series in found for run in series.runs}
    if len(emulated) > 1 and not allowed:
        raise Refused("some of these figures are emulated and some are real; they do not "
                      "measure the same thing (--mixed compares them all the same)")


# ------------------------------------------------------------ comparing

def compare(found, baseline, units):
    """unit -> row -> {column: Comparison}; Holm over all of them together."""
    tables = {}
    for unit in units:
        rows = {row for series in found for row in series.cells.get(unit, ())}
        tables[unit] = {row: compare_row(found, baseline, unit, row)
                        for row in sorted(rows, key=measured.order)}
    tested = [c for c in every(tables) if c.base is not None]
    for comparison, p in zip(tested, stats.holm([c.p for c in tested])):
        comparison.p_corrected = p
    return tables


def every(tables):
    """All comparisons of all tables."""
    return (c for rows in tables.values() for columns in rows.values() for c in columns.values())


def compare_row(found, baseline, unit, row):
    columns = {}
    for column, series in enumerate(found):
        values = series.cells.get(unit, {}).get(row)
        if values:
            columns[column] = Comparison(row, column, values, stats.median(values))
    base = columns.get(baseline)
    if base:
        for column, comparison in columns.items():
            if column != baseline:
                comparison.base, comparison.base_median = base.values, base.median
                comparison.p = stats.mann_whitney(base.values, comparison.values)
    return columns


def geometric_means(rows, baseline, count):
    """For each column its mean, its ratio to the baseline, and over how many cells: those
    that both have."""
    for column in range(count):
        pairs = [(columns[baseline].median, columns[column].median) for columns in rows.values()
                 if baseline in columns and column in columns]
        pairs = [(base, mine) for base, mine in pairs if base > 0 and mine > 0]
        if pairs:
            yield (stats.geometric_mean([mine for _, mine in pairs]),
                   stats.geometric_mean([mine / base for base, mine in pairs]), len(pairs))
        else:
            yield None, None, 0


# ------------------------------------------------------------ showing

def interval_text(comparison):
    """ "1%", the larger half of the interval; "∞" where there are too few samples for one."""
    interval, middle = stats.median_interval(comparison.values), comparison.median
    if interval is None:
        return "∞"
    if not middle:
        return "?"
    return f"{max(interval[1] - middle, middle - interval[0]) / middle * 100:.0f}%"


def change_text(comparison, alpha):
    counts = f"n={len(comparison.values)}"
    if len(comparison.base) != len(comparison.values):
        counts = f"n={len(comparison.base)}+{len(comparison.values)}"
    change = "~" if comparison.p_corrected > alpha else f"{comparison.change * 100:+.2f}%"
    return change, f"(p={comparison.p_corrected:.3f} {counts})"


def text_table(found, rows, unit, baseline, alpha):
    name = base_name(unit)
    head, under = [""], [""]
    for column, series in enumerate(found):
        head += [series.name, ""] + (["", ""] if column != baseline else [])
        under += [name, "±"] + (["vs base", ""] if column != baseline else [])
    lines = [head, under]
    for row, columns in rows.items():
        lines.append([row, *row_cells(columns, len(found), unit, baseline, alpha)])
    lines.append(["geomean", *mean_cells(rows, len(found), unit, baseline)])
    return table(lines)


def row_cells(columns, count, unit, baseline, alpha):
    for column in range(count):
        comparison = columns.get(column)
        yield from (("-", "") if comparison is None else (
            in_base(comparison.median, unit), f"± {interval_text(comparison)}"))
        if column != baseline:
            compared = comparison is not None and comparison.base is not None
            yield from change_text(comparison, alpha) if compared else ("", "")


def mean_cells(rows, count, unit, baseline):
    for column, (mean, ratio, cells) in enumerate(geometric_means(rows, baseline, count)):
        yield from (in_base(mean, unit) if mean else "-", "")
        if column != baseline:
            yield from ((f"{(ratio - 1) * 100:+.2f}%", f"({cells} cells)") if ratio else ("", ""))


def print_text(found, tables, baseline, args):
    for series in found:
        cpus = sorted({run.meta.get("cpu", "?") for run in series.runs})
        versions = sorted({run.meta.get("version", "?") for run in series.runs})
        print(f"{series.name}: {len(series.runs)} record{'s' * (len(series.runs) != 1)}, "
              f"{', '.join(cpus)}, {', '.join(versions)}")
    remarks = [f"{run.name}: {text}" for series in found for run in series.runs
               for text in run.remarks]
    for text in remarks[:REMARKS_MAX]:
        print(f"!! {text}")
    if len(remarks) > REMARKS_MAX:
        print(f"!! {len(remarks) - REMARKS_MAX} more remarks; `metalcopy check` prints them")
    for text in conditions(found):
        print(f"!! CONDITIONS DIFFER: {text}")
    for unit, rows in tables.items():
        print()
        for line in text_table(found, rows, unit, baseline, args.alpha):
            print(line)
    print()
    for text in explanations(tables, args.alpha):
        print(text)


def explanations(tables, alpha):
    """What the signs mean, and how many rounds it takes to say more."""
    if any(len(c.values) < stats.INTERVAL_SAMPLES for c in every(tables)):
        yield (f"∞: a 95 % interval takes {stats.INTERVAL_SAMPLES} rounds: run both with "
               f"rounds={stats.INTERVAL_SAMPLES}, or pool records of one kind: FILE,FILE")
    sizes = [(len(c.base), len(c.values)) for c in every(tables) if c.base is not None]
    yield (f"~: cannot be told apart at p <= {alpha:g}; p as corrected by Holm over "
           f"{len(sizes)} comparisons")
    if sizes and min(stats.least_p(*size) for size in set(sizes)) * len(sizes) > alpha:
        rounds = stats.samples_for(alpha / len(sizes))
        yield (f"!! No difference could be significant with so few rounds over {len(sizes)} "
               f"comparisons: it takes {rounds} rounds of each: run both with rounds={rounds}, "
               "or pool records (FILE,FILE,...), or compare fewer cells (--filter)")


def rows_for_programs(found, tables, baseline):
    for unit, rows in tables.items():
        for c in (c for columns in rows.values() for c in columns.values()):
            interval = stats.median_interval(c.values)
            yield {
                "cell": c.row, "unit": unit, "series": found[c.column].name,
                "baseline": found[baseline].name if c.base is not None else None,
                "samples": len(c.values), "median": c.median,
                "low": interval and interval[0], "high": interval and interval[1],
                "change": c.change if c.base is not None else None,
                "p": c.p, "p_corrected": c.p_corrected,
            }


def print_for_programs(rows, args):
    if args.json:
        json.dump(list(rows), sys.stdout, indent=1)
        print()
        return
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(sys.stdout, row, lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)


def choose_baseline(found, name):
    names = [series.name for series in found]
    if name is None:
        return 0
    if name not in names:
        raise Refused(f"--baseline {name}: the columns are {', '.join(names)}")
    return names.index(name)


def default_units(found):
    timed = all(series.cells.get("ns/op") for series in found)
    return DEFAULT_UNITS[:1] if timed else DEFAULT_UNITS[1:]


def main(args):
    wanted = measured.parse_filter(args.filter)
    found = read_series(args.series, args.unit or DEFAULT_UNITS)
    check_mixed(found, args.mixed)
    found = by_key(found, args.by, wanted) if args.by else by_input(found, wanted)
    if not any(series.cells for series in found):
        raise Refused("no cells to compare" + (f" with --filter {args.filter}" * bool(wanted)))
    baseline = choose_baseline(found, args.baseline)
    tables = compare(found, baseline, args.unit or default_units(found))
    if args.json or args.csv:
        print_for_programs(rows_for_programs(found, tables, baseline), args)
    else:
        print_text(found, tables, baseline, args)
    return 0
