# SPDX-License-Identifier: BSD-2-Clause
"""Writes the results of records for other tools, to standard output.

  google-benchmark  JSON that compare.py of libbenchmark-tools reads
  go                the Go benchmark lines, for benchstat
  csv, jsonl        one line a cell, round and unit
  junit             the contract's results, for CI systems

  metalcopy export --format google-benchmark a.record > a.json
  metalcopy export --format go a.record b.record > both.txt; benchstat -col record both.txt
  metalcopy export --format csv store/ > all.csv"""

import csv
import json
import sys
import xml.etree.ElementTree as xml

from host import measured
from host.cli import Refused

HELP = "write results for other tools"


def arguments(parser):
    parser.add_argument("files", nargs="+", metavar="FILE", help="a log or a folder of a store")
    parser.add_argument("--format", required=True, choices=FORMATS,
                        help="which form")


def google_benchmark(runs, out):
    """A cell's rounds are its repetitions; times from ns/op, so a machine without has none."""
    if len(runs) > 1:
        raise Refused("google-benchmark takes one record a file; "
                      f"there are {len(runs)}: export them one by one")
    run = runs[0]
    context = {"host_name": run.name, "executable": "metalcopy", "library_build_type": "release",
               "num_cpus": int(run.meta.get("cpus", "1").split()[0]),
               "caches": [], **{f"metalcopy_{key}": value for key, value in run.meta.items()}}
    benchmarks = []
    for family, name in enumerate(run.cells):
        times, rates = run.values(name, "ns/op"), run.values(name, "MB/s")
        for index, time in enumerate(times):
            benchmarks.append({
                "name": name, "run_name": name, "run_type": "iteration", "family_index": family,
                "per_family_instance_index": 0, "repetitions": len(times),
                "repetition_index": index, "threads": 1, "iterations": 1, "real_time": time,
                "cpu_time": time, "time_unit": "ns",
                **({"bytes_per_second": rates[index] * 1e6} if index < len(rates) else {})})
    if not benchmarks:
        raise Refused(f"{run.name}: no cell has a time in ns/op")
    json.dump({"context": context, "benchmarks": benchmarks}, out, indent=1)
    out.write("\n")


def rows(runs):
    for run in runs:
        for name in run.cells:
            for unit, values in run.units_of(name).items():
                for index, value in enumerate(values):
                    yield {"record": run.name, "cpu": run.meta.get("cpu"),
                           "timing": run.meta.get("timing"), "cell": name,
                           **{key: measured.keys_of(name).get(key) for key in ("exp", "copy", "n")},
                           "round": index + 1, "unit": unit, "value": value}


def as_csv(runs, out):
    writer = None
    for row in rows(runs):
        if writer is None:
            writer = csv.DictWriter(out, row, lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)


def as_jsonl(runs, out):
    for row in rows(runs):
        out.write(json.dumps(row) + "\n")


def as_go(runs, out):
    """Rounds in turn, as in a record; what tells the records apart is a config line."""
    for run in runs:
        for key in ("goos", "goarch", "pkg"):
            out.write(f"{key}: {run.meta[key]}\n")
        if len(runs) > 1:
            out.write(f"record: {run.name}\n")
        out.write("Unit MB/s better=higher\n")
        rounds = max((len(values) for cells in run.series.values() for values in cells.values()),
                     default=0)
        for index in range(rounds):
            for name in run.cells:
                figures = [f"{values[index]:.10g} {unit}"
                           for unit, values in run.units_of(name).items() if index < len(values)]
                if figures:
                    out.write(f"BenchmarkCopy/{name} 1 {' '.join(figures)}\n")


def as_junit(runs, out):
    suites = xml.Element("testsuites")
    for run in runs:
        suite = xml.SubElement(
            suites, "testsuite", name=run.name, tests=str(len(run.tests)),
            failures=str(sum(test.broken for test in run.tests)),
            skipped=str(sum(bool(test.directive) for test in run.tests)))
        for test in run.tests:
            case = xml.SubElement(suite, "testcase", classname="metalcopy", name=test.name)
            if test.broken:
                xml.SubElement(case, "failure", message="not ok")
            elif test.directive == "SKIP" or not test.ok:
                xml.SubElement(case, "skipped", message=test.why)
    xml.indent(suites)
    out.write('<?xml version="1.0" encoding="utf-8"?>\n')
    out.write(xml.tostring(suites, encoding="unicode") + "\n")


FORMATS = {"google-benchmark": google_benchmark, "csv": as_csv, "jsonl": as_jsonl,
           "junit": as_junit, "go": as_go}


def main(args):
    FORMATS[args.format](measured.load(args.files), sys.stdout)
    return 0
