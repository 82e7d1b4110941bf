# SPDX-License-Identifier: BSD-2-Clause
"""One line for each record in logs and stores, the damaged ones too."""

import sys

from host import measured
from host import record as records
from host.units import table

HELP = "list the records in logs"


def arguments(parser):
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE",
                        help="a log, or a folder of a store; - is standard input (default)")


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
    lines = []
    for path in args.files:
        for file in measured.files_of(path):
            stream = sys.stdin.buffer if file == "-" else open(file, "rb")
            with stream:
                lines += [row(file, record) for record in records.read_records(stream)]
    print("\n".join(table(lines, left=9)) if lines else "no records")
    return 0 if lines else 1
