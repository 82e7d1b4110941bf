# SPDX-License-Identifier: BSD-2-Clause
"""Keeps records as files, one folder a machine, with an SQLite index beside them.

  metalcopy store DIR add FILE...        whole records; those it has already change nothing
  metalcopy store DIR list               --machine, --cpu, --routine, ... choose
  metalcopy store DIR rebuild            the index anew, from the files

The files are what counts: DIR/MACHINE/ID.record, the record's own bytes with LF line
ends, ID being the start of their SHA-256, its time that of the log it came from. A
machine's folder, or all of DIR, can be given to compare, report, show and export."""

import hashlib
import os
import re
import sqlite3
import time

from host import measured
from host import record as records
from host.cli import Refused
from host.files import write_atomically
from host.units import table

HELP = "keep records and find them again"

INDEX = "index.sqlite"
COLUMNS = ("machine", "cpu", "cpu_id", "microcode", "firmware", "timing", "goarch", "version",
           "args")
SCHEMA = f"""
create table record (id text primary key, path text, time integer, status text,
    {', '.join(column + ' text' for column in COLUMNS)});
create table holds (record text, experiment text, routine text,
    primary key (record, experiment, routine)) without rowid;
"""


def arguments(parser):
    parser.add_argument("folder", metavar="DIR", help="the store; made when it is not there")
    parser.add_argument("action", choices=("add", "list", "rebuild"), help="what to do")
    parser.add_argument("files", nargs="*", metavar="FILE", help="logs to add records from")
    parser.add_argument("--machine", metavar="NAME",
                        help="add: its name (made from the CPU's); list: a glob")
    for column in ("cpu", "microcode", "firmware", "timing", "version"):
        parser.add_argument("--" + column, metavar="GLOB", help="list: only these")
    parser.add_argument("--experiment", metavar="GLOB", help="list: with cells of these")
    parser.add_argument("--routine", metavar="GLOB", help="list: with cells of these")


def slug(text):
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-") or "unknown"


class Store:
    def __init__(self, folder, index=INDEX):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, index)
        fresh = not os.path.exists(path)
        self.index = sqlite3.connect(path, timeout=60)
        if fresh:
            self.index.executescript(SCHEMA)
        # An older index, or a file that is none, is told at once.
        self.index.execute("select id, path, experiment, routine from record "
                           "left join holds on record = id limit 1")

    def add(self, record, machine, when):
        """True if it was new."""
        data = record.data()
        identity = hashlib.sha256(data).hexdigest()[:16]
        if self.index.execute("select 1 from record where id = ?", (identity,)).fetchone():
            return False
        keys = record.meta()
        machine = slug(machine or f"{keys.get('cpu', '')} {keys.get('cpu-id', '')}")
        os.makedirs(os.path.join(self.folder, machine), exist_ok=True)
        path = os.path.join(machine, identity + ".record")
        full = os.path.join(self.folder, path)
        write_atomically(full, data)
        os.utime(full, (when, when))
        self.enter(record, identity, path, machine, when)
        return True

    def enter(self, record, identity, path, machine, when):
        values = {key.replace("-", "_"): value for key, value in record.meta().items()}
        self.index.execute(
            f"insert into record values ({', '.join('?' * (4 + len(COLUMNS)))})",
            (identity, path, int(when), record.end[2], machine,
             *(values.get(column, "n/a") for column in COLUMNS[1:])))
        held = {(keys.get("exp", ""), keys.get("copy", ""))
                for keys in map(measured.keys_of, measured.cells_of(record))}
        self.index.executemany("insert into holds values (?, ?, ?)",
                               ((identity, *pair) for pair in held))

    def close(self):
        self.index.commit()
        self.index.close()


def add(store, args):
    new = same = bad = 0
    for path in args.files:
        number = 0
        try:
            when = os.path.getmtime(path) if path != "-" else time.time()
            with open("/dev/stdin" if path == "-" else path, "rb") as stream:
                for number, record in enumerate(records.read_records(stream), 1):
                    if not record.whole:
                        bad += 1
                        problem = record.problems[0]
                        measured.complain(f"{path}: record {number} is left out: line "
                                          f"{problem.line}: {problem.text}")
                    elif store.add(record, args.machine, when):
                        new += 1
                    else:
                        same += 1
            store.index.commit()
            if not number:
                bad += 1
                measured.complain(f"{path}: no record in it")
        except OSError as error:
            bad += 1
            measured.complain(f"{error.filename or path}: {error.strerror}")
    print(f"{new} added, {same} there already, {bad} left out")
    return 1 if bad or not new + same else 0


def rebuild(folder):
    """The old index stays until the new one is whole."""
    if not os.path.isdir(folder):
        raise Refused(f"{folder}: there is no such store")
    part, count = INDEX + ".part", 0
    path = os.path.join(folder, part)
    if os.path.exists(path):
        os.remove(path)
    store = Store(folder, part)
    for file in measured.files_of(folder):
        machine = os.path.basename(os.path.dirname(file))
        identity = os.path.basename(file).removesuffix(".record")
        for record in measured.good_records(file):
            store.enter(record, identity, os.path.relpath(file, folder), machine,
                        os.path.getmtime(file))
            count += 1
    store.close()
    os.replace(path, os.path.join(folder, INDEX))
    print(f"{count} records")
    return 0


def list_records(store, args):
    where, values = [], []
    for column in ("machine", "cpu", "microcode", "firmware", "timing", "version"):
        if getattr(args, column) is not None:
            where.append(f"{column} glob ?")
            values.append(getattr(args, column))
    for column in ("experiment", "routine"):
        if getattr(args, column) is not None:
            where.append("exists (select 1 from holds "
                         f"where holds.record = record.id and holds.{column} glob ?)")
            values.append(getattr(args, column))
    rows = store.index.execute(
        "select path, time, status, timing, cpu, microcode, version, args from record "
        + ("where " + " and ".join(where) if where else "") + " order by machine, time, id",
        values).fetchall()
    lines = [["path", "time", "status", "timing", "cpu", "microcode", "version", "args"]]
    for path, when, *rest in rows:
        lines.append([path, time.strftime("%Y-%m-%d %H:%M", time.localtime(when)), *rest])
    print("\n".join(table(lines, left=len(lines[0]))))
    return 0


def main(args):
    if args.action == "list" and not os.path.isdir(args.folder):
        raise Refused(f"{args.folder}: there is no such store")
    if args.action == "add" and not args.files:
        raise Refused("add: which files?")
    try:
        if args.action == "rebuild":
            return rebuild(args.folder)
        store = Store(args.folder)
        status = add(store, args) if args.action == "add" else list_records(store, args)
        store.close()
    except sqlite3.Error as error:
        raise Refused(f"{os.path.join(args.folder, INDEX)}: {error}; the records that were "
                      f"written are good, and `metalcopy store {args.folder} rebuild` makes the "
                      "index anew") from error
    return status
