# SPDX-License-Identifier: BSD-2-Clause
"""Lists the records in logs and stores, one a line, the damaged ones too; or the copy
routines that a record made with list=copies names. Lines are cut to the terminal's width.

  metalcopy list lab/*.record
  make -s hosted ARGS=list=copies | metalcopy list --copies"""

import re
import shutil
import sys

from host import measured
from host import record as records
from host.cli import Refused
from host.units import table

HELP = "list the records in logs, or the routines that a record names"

# What list=copies prints of a routine, and then of each of its forms.
ROUTINE = re.compile(r"(\w+): (.+)")
FORM = re.compile(
    r"  (\w+)\.(\w+) widths=(\S+) needs=(.*) uses=.* claims=(\S+).* here=(.*) source=")


def arguments(parser):
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE",
                        help="a log, or a folder of a store; - is standard input (default)")
    parser.add_argument("--copies", action="store_true",
                        help="the routines that a record made with list=copies names")


def copies(runs):
    """A row a routine: its name, whether this CPU has it, its forms, and what it is."""
    titles, rows = {}, {}
    for line in (line for run in runs for line in run.text):
        if match := FORM.match(line):
            name, form, widths, needs, claims, here = match.groups()
            row_ = rows.setdefault(name, [name, here, widths, needs, {}])
            row_[4].setdefault(claims, []).append(form)
        elif match := ROUTINE.fullmatch(line):
            titles[match[1]] = match[2]
    if not rows:
        raise Refused("these records name no routines: they are not of list=copies")
    yield ["routine", "here", "widths", "needs", "what it is", "forms"]
    for name, here, widths, needs, forms in rows.values():
        yield [name, here, widths, needs, titles.get(name, ""),
               "; ".join(f"{claims}: {' '.join(names)}" for claims, names in forms.items())]


def row(path, record):
    keys = record.meta()
    if record.whole:
        state = f"status={record.end[2]}"
    elif record.version != records.VERSION:
        state = f"version {records.text_of(record.version)}"
    else:
        state = "died" if record.end_line is None else "damaged"
    return [f"{path}:{record.start}", state, keys.get("timing", "?"), keys.get("goarch", "?"),
            keys.get("cpu", "?"), keys.get("version", "?"),
            f"{record.count(records.BENCHMARK)} benchmark lines",
            f"{record.count(records.TEST)} tests", keys.get("args", "?")]


def main(args):
    if args.copies:
        lines = list(copies(measured.load(args.files)))
    else:
        lines = []
        for file in (file for path in args.files for file in measured.files_of(path)):
            with sys.stdin.buffer if file == "-" else open(file, "rb") as stream:
                lines += [row(file, record) for record in records.read_records(stream)]
    # Whole where the output is no terminal.
    width = shutil.get_terminal_size((sys.maxsize, 0)).columns
    for line in table(lines, left=9):
        print(line if len(line) <= width else line[:width - 1] + "…")
    if not lines:
        print("no records")
    return 0 if lines else 1
