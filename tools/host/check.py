# SPDX-License-Identifier: BSD-2-Clause
"""Verifies the records in a log: every line there, every checksum right, every key present.

The log may hold anything before, between and after its records, and several of
them. Damage is placed between two marks; a record without END is good up to its
last mark. Notes repeat what the record itself says of its figures: options that it
did not understand, samples that were disturbed.

  metalcopy check first.record
  metalcopy check --passed lab/*.record && echo all passed

exit status: 0 all records are whole (whatever their status says), 1 something is
damaged or missing, or there is no record, 2 the file cannot be read"""

import sys

from host import record as records

HELP = "verify the records in a log"


def arguments(parser):
    parser.add_argument("files", nargs="*", default=["-"], metavar="FILE",
                        help="a log; - is standard input (default)")
    parser.add_argument("--passed", action="store_true",
                        help="also fail when a record ended with status=fail")


def summary(record):
    """One line on a record, for people."""
    keys = record.meta()
    what = (f"{len(record.lines)} lines, {record.count(records.BENCHMARK)} benchmark lines, "
            f"{record.count(records.TEST)} tests")
    if record.compact:
        what = f"compact, {len(record.lines)} lines"
    who = f"{keys.get('cpu', 'unknown CPU')}, timing: {keys.get('timing', 'unknown')}"
    if record.whole:
        return f"whole, status={record.end[2]}: {what}; {who}"
    if record.trusted == len(record.lines) and record.end:
        return f"not a good record: {what}; {who}"
    if record.trusted:
        return f"good up to line {record.number(record.trusted)}, lines={record.trusted}: {who}"
    return f"no part of it can be trusted: {who}"


def report(name, number, record, out):
    print(f"{name}:{record.start}: record {number}: {summary(record)}", file=out)
    for problem in record.problems:
        print(f"{name}:{problem.line}: {problem.text}", file=out)
    if record.whole:
        for remark in records.remarks(record):
            print(f"{name}:{remark.line}: note: {remark.text}", file=out)


def check_stream(name, stream, args):
    good, number = True, 0
    for number, record in enumerate(records.read_records(stream), 1):
        report(name, number, record, sys.stdout)
        good = good and (record.passed if args.passed else record.whole)
    if not number:
        print(f"{name}: no record: there is no line METALCOPY START v1")
    return good and number > 0


def main(args):
    good = True
    for name in args.files:
        if name == "-":
            good = check_stream("-", sys.stdin.buffer, args) and good
            continue
        with open(name, "rb") as stream:
            good = check_stream(name, stream, args) and good
    return 0 if good else 1
