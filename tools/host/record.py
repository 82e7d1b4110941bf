# SPDX-License-Identifier: BSD-2-Clause
"""The record (docs/RECORD.md): finds records in a log and says what is wrong with them."""

import re
import zlib
from dataclasses import dataclass, field

VERSION = b"1"
LINE_MAX = 240
LAVA_MAX = 200

# A log may be anything: of a longer line the ends are kept, a longer record is given up.
READ_BYTES = 1 << 16
LINE_KEPT = 1 << 12
RECORD_LINES_MAX = 4_000_000
BAD_LINES_MAX = 20  # that are told one by one

# The keys of a version 1 record, all of them in every record.
CONFIG_KEYS = ("goos", "goarch", "pkg")
COMPACT_CONFIG_KEYS = ("goarch",)
META_KEYS = (
    "cpu", "version", "timing", "hypervisor", "cpu-id", "microcode", "cpus", "tsc-hz",
    "tsc-step", "core-hz", "l1d", "l2", "l3", "dtlb", "stlb", "prefetchers", "memory-mib",
    "firmware", "args", "seed", "disturbed")
META_CHOICES = {"timing": ("hardware", "virtual", "emulated", "hosted", "n/a")}

# Noise may stand before START on its line: a loader's last words, or a line that
# a restart cut off.
START = re.compile(rb"METALCOPY (START|COMPACT) v(\S+)$")
END = re.compile(rb"METALCOPY END v1 lines=(\d+) crc32=([0-9a-f]{8}) status=(pass|fail)$")
END_PREFIX = b"METALCOPY END"
MARK = re.compile(rb"META mark: lines=(\d+) crc32=([0-9a-f]{8})$")
MARK_EVERY = 100
META = re.compile(rb"META ([a-z0-9][a-z0-9-]*): (.*)$")
CONFIG = re.compile(rb"([a-z]+): (\S.*)$")
BENCHMARK = re.compile(rb"Benchmark(\S+) (\d+)((?: [-+0-9.e]+ \S+)+)$")
TEST = re.compile(rb"(not )?ok (\d+)(?: - ((?:[^#\\]|\\.)*?))?(?: *# *(TODO|SKIP)\b *(.*))?$")
PLAN = re.compile(rb"1\.\.(\d+)(?: .*)?$")
LAVA = re.compile(
    rb"<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=(\S+) RESULT=(pass|fail|skip|unknown)"
    rb" UNITS=(\S+) MEASUREMENT=([-+0-9.eE]+)>$")
LAVA_PREFIX = b"<LAVA_SIGNAL"
# Lines for people that whoever reads the figures has to know of.
REMARK = re.compile(rb"# ((?:option error|clock): .*|state .*: not reached)$")
NO_FIGURE = b": every sample was disturbed"
UNRELIABLE = b": some of these samples were disturbed: there were no others"  # the line before
DISTURBED = re.compile(r"(\d+) of (\d+)\b")
DISTURBED_SHARE = 0.1  # that is worth a word
UNPRINTABLE = re.compile(rb"[^ -~]")
COUNT_SUFFIX = re.compile(rb"-\d+$")  # Go tools read it as a number of CPUs

# What most lines are; the others are looked at one by one.
GOOD = re.compile(
    rb"Benchmark(?!\S*-\d+ )[!-~]+ \d+(?: [-+0-9.e]+ [!-~]+)+$"
    rb"|(?!Benchmark|<LAVA_SIGNAL)[ -~]*$")


def crc_of(lines, crc=0):
    return zlib.crc32(b"".join(line + b"\n" for line in lines), crc)


def text_of(line):
    """A line for people's eyes: what is not printable ASCII is escaped."""
    return line.decode("ascii", "backslashreplace").translate(
        {c: f"\\x{c:02x}" for c in (*range(32), 127)})


@dataclass
class Problem:
    line: int  # line of the log, from 1
    text: str


@dataclass
class Point:
    """A place where the record says how much came before it, and its checksum."""
    index: int  # into Record.lines: the lines before it
    lines: int  # what it says
    crc: int
    name: str


@dataclass
class Record:
    """What stood between START and END; lines without their line ends."""
    start: int  # line of the log that START is on
    lines: list = field(default_factory=list)
    version: bytes = VERSION
    compact: bool = False
    end: tuple = None  # lines, crc32, status as the END line says
    end_line: bytes = None  # as it was, None if it never came
    ended_by: str = "the log ends"  # what came instead of END
    problems: list = field(default_factory=list)
    trusted: int = 0  # lines that a checksum vouches for, from START on without a gap

    @property
    def whole(self):
        return not self.problems

    @property
    def passed(self):
        return self.whole and self.end[2] == "pass"

    def number(self, index):
        """The line of the log that lines[index] stood on."""
        return self.start + 1 + index

    def data(self):
        """The record's own bytes, with LF line ends."""
        first = b"METALCOPY COMPACT v" if self.compact else b"METALCOPY START v"
        lines = [first + self.version, *self.lines]
        if self.end_line is not None:
            lines.append(self.end_line)
        return b"\n".join(lines) + b"\n"

    def meta(self):
        """META and config keys with their values, as text; marks left out."""
        keys = {}
        for line in self.lines:
            if line.startswith(b"Benchmark"):
                continue
            match = META.match(line) or CONFIG.match(line)
            if match and match[1] != b"mark":
                keys.setdefault(match[1].decode(), match[2].decode("ascii", "replace"))
        return keys

    def count(self, pattern):
        return sum(1 for line in self.lines if pattern.match(line))


class Splitter:
    """Bytes into lines, as they come; `rest` is the line that has not ended yet."""

    def __init__(self):
        self.rest = b""

    def split(self, data):
        *lines, rest = (self.rest + data).split(b"\n")
        if len(rest) > LINE_KEPT:
            rest = rest[:LINE_KEPT // 2] + rest[-LINE_KEPT // 2:]
        self.rest = rest
        return lines


class Scanner:
    """Takes a log line by line and gives back each record as it ends."""

    def __init__(self):
        self.number = 0
        self.current = None

    def feed(self, line):
        """`line` with or without its line end. Returns the record that it ended, or None."""
        self.number += 1
        line = line.rstrip(b"\n").rstrip(b"\r")
        start = b"METALCOPY " in line and START.search(line)
        if start:
            done = self._give_up(f"the machine started again at line {self.number}")
            self.current = Record(self.number, version=start[2], compact=start[1] == b"COMPACT")
            return done
        if self.current is None:
            return None
        if line.startswith(END_PREFIX):
            return self._end(line)
        self.current.lines.append(line)
        if len(self.current.lines) >= RECORD_LINES_MAX:
            return self._too_long()
        return None

    def feed_all(self, lines):
        """The same for many lines; yields the records that ended in them."""
        text = b"\n".join(lines)
        if self.current is None or b"METALCOPY" in text or b"\r" in text:
            yield from filter(None, map(self.feed, lines))
            return
        self.number += len(lines)
        self.current.lines += lines
        if len(self.current.lines) >= RECORD_LINES_MAX:
            yield self._too_long()

    def close(self):
        """The log ends. Returns the record that was left without END, or None."""
        return self._give_up("the log ends")

    def _end(self, line):
        record, self.current = self.current, None
        record.end_line = line
        match = END.match(line)
        if match:
            record.end = int(match[1]), int(match[2], 16), match[3].decode()
        return verify(record)

    def _too_long(self):
        return self._give_up(f"no END within {RECORD_LINES_MAX} lines")

    def _give_up(self, why):
        record, self.current = self.current, None
        if record is not None:
            record.ended_by = why
            verify(record)
        return record


def read_records(stream):
    """Every record in a binary stream, in order, whole or not."""
    scanner, splitter = Scanner(), Splitter()
    while data := stream.read(READ_BYTES):
        yield from scanner.feed_all(splitter.split(data))
    if splitter.rest:
        yield from scanner.feed_all([splitter.rest])
    yield from filter(None, [scanner.close()])


def remarks(record):
    """What a reader of the figures has to know, as the record's own lines say it: options
    that were not understood, clocks that disagree, states that were not reached, samples
    that were disturbed. Problems in form only: the record is none the worse."""
    found, lost, first, unreliable = [], 0, None, []
    for index, line in enumerate(record.lines):
        if not line.startswith(b"# "):
            continue
        if match := REMARK.match(line):
            found.append(Problem(record.number(index), text_of(match[1])))
        elif line.endswith(NO_FIGURE):
            first = first or record.number(index)
            lost += 1
        elif line.endswith(UNRELIABLE):
            unreliable.append(record.number(index))
    if unreliable:
        found.append(Problem(unreliable[0], "figures that rest on disturbed samples, and are left "
                             f"out where their cell has others: {len(unreliable)}"))
    if lost:
        found.append(Problem(first, "rounds of a cell in which every sample was disturbed, and "
                             f"which gave no figure: {lost}"))
    value = record.meta().get("disturbed", "")
    if (match := DISTURBED.match(value)) and int(match[1]) > DISTURBED_SHARE * int(match[2]):
        found.append(Problem(
            record.number(len(record.lines)), f"{int(match[1]) / int(match[2]):.0%} of the timing "
            f"samples were disturbed ({value}): a quieter machine gives better figures"))
    return found


# ------------------------------------------------------------ verifying

def verify(record):
    """Fills record.problems, in the order of the log's lines, and record.trusted."""
    if record.version != VERSION:
        version = text_of(record.version)
        record.problems.append(Problem(
            record.start, f"record version {version}; this program knows version 1: "
            "take the metalcopy that the record is from, or a newer one"))
        return record
    _check_end(record)
    _check_checksums(record)
    _check_lines(record)
    if record.end:
        _check_keys(record)
    if record.end and not record.compact:
        _check_tests(record)
    record.problems.sort(key=lambda problem: problem.line)
    return record


def _check_end(record):
    line = record.number(len(record.lines))
    if record.end_line is None:
        record.problems.append(Problem(line - 1, f"no END line, the run died: {record.ended_by}"))
    elif record.end is None:
        record.problems.append(Problem(line, f"damaged END line: {text_of(record.end_line)}"))


def _points(record):
    points = [Point(0, 0, 0, "START")]
    for index, line in enumerate(record.lines):
        mark = line.startswith(b"META mark") and MARK.match(line)
        if mark:
            points.append(Point(index, int(mark[1]), int(mark[2], 16), f"mark {int(mark[1])}"))
    if record.end:
        points.append(Point(len(record.lines), record.end[0], record.end[1], "END"))
    return points


def _agrees(record, first, last):
    """Whether the lines from one point to the next are as both say."""
    if last.index - first.index != last.lines - first.lines:
        return False
    return crc_of(record.lines[first.index:last.index], first.crc) == last.crc


def _check_checksums(record):
    """A CRC goes on from any point, so each stretch is judged by itself, whatever came before."""
    points = _points(record)
    good = [_agrees(record, *pair) for pair in zip(points, points[1:])]
    whole = True
    position = 0
    while position < len(good):
        if good[position]:
            if whole:
                record.trusted = points[position + 1].index
            position += 1
            continue
        whole = False
        first, last = points[position], points[position + 1]
        # A mark that neither side agrees with may be all that is damaged.
        if not any(good[position:position + 2]) and position + 2 < len(points) and _repair(
                record, first, last.index, points[position + 2]):
            position += 2
            continue
        if not _repair_one(record, first, last):
            _damaged(record, first, last)
        position += 1


def _repair(record, first, index, last):
    """Whether all is well from first to last once lines[index] is the mark it should be."""
    lines = record.lines[first.index:last.index]
    at = index - first.index
    crc = crc_of(lines[:at], first.crc)
    mark = f"META mark: lines={first.lines + at} crc32={crc:08x}"
    if crc_of([mark.encode(), *lines[at + 1:]], crc) != last.crc:
        return False
    record.problems.append(Problem(
        record.number(index), f"damaged mark: {text_of(record.lines[index])!r} should be "
        f"{mark!r}; the lines around it are good"))
    return True


def _repair_one(record, first, last):
    """The same for a stretch in which some line may have been a mark."""
    count = last.index - first.index
    return count == last.lines - first.lines and MARK_EVERY < count <= 2 * MARK_EVERY + 1 and any(
        _repair(record, first, index, last) for index in range(first.index + 1, last.index))


def _damaged(record, first, last):
    have, want = last.index - first.index, last.lines - first.lines
    if want < 0:
        what = "one of these two lines is damaged"
    elif have < want:
        what = f"lines missing: {want - have}"
    elif have > want:
        what = f"lines too many: {have - want}"
    else:
        crc = crc_of(record.lines[first.index:last.index], first.crc)
        what = f"{have} lines with crc32 {crc:08x}, should be {last.crc:08x}"
    line = record.number(first.index) - (first.name == "START")
    record.problems.append(Problem(
        line, f"damaged between {first.name} (line {line}) and {last.name} "
        f"(line {record.number(last.index)}): {what}"))


def _check_lines(record):
    names, bad = set(), 0
    for index, line in enumerate(record.lines):
        if len(line) <= LINE_MAX and GOOD.match(line):
            continue
        problems = list(_line_problems(line, names))
        if problems and bad < BAD_LINES_MAX:
            record.problems += [Problem(record.number(index), text) for text in problems]
        bad += bool(problems)
    if bad > BAD_LINES_MAX:
        record.problems.append(Problem(
            record.number(len(record.lines)), f"and {bad - BAD_LINES_MAX} more such lines"))
    if len(names) > LAVA_MAX:
        record.problems.append(Problem(
            record.start, f"{len(names)} LAVA lines; at most {LAVA_MAX} are allowed"))


def _line_problems(line, lava_names):
    if len(line) > LINE_MAX:
        more = " or more" if len(line) >= LINE_KEPT else ""
        yield f"{len(line)} bytes{more}; a line has at most {LINE_MAX}"
    if UNPRINTABLE.search(line):
        yield f"bytes that are not printable ASCII: {text_of(line[:LINE_MAX])[:LINE_MAX]}"
        return
    if line.startswith(b"Benchmark"):
        match = BENCHMARK.match(line)
        if not match:
            yield f"not a benchmark line: {text_of(line)}"
        elif COUNT_SUFFIX.search(match[1]):
            yield f"a benchmark name that ends in a dash and digits: {text_of(match[1])}"
    elif line.startswith(LAVA_PREFIX):
        match = LAVA.match(line)
        if not match:
            yield f"not a LAVA line: {text_of(line)}"
            return
        name = re.sub(rb"\W+", b"_", match[1].lower())
        if name in lava_names:
            yield f"a LAVA test case of that name came before: {text_of(match[1])}"
        lava_names.add(name)


def _check_keys(record):
    keys = record.meta()
    config = COMPACT_CONFIG_KEYS if record.compact else CONFIG_KEYS
    missing = [key for key in (*config, *META_KEYS) if key not in keys]
    if missing:
        record.problems.append(Problem(record.start, f"missing keys: {', '.join(missing)}"))
    for key, choices in META_CHOICES.items():
        if key in keys and keys[key] not in choices:
            record.problems.append(Problem(
                record.start, f"{key}: {keys[key]} is none of {', '.join(choices)}"))


def _check_tests(record):
    last = broken = 0
    plan = None
    for index, line in enumerate(record.lines):
        if line.startswith(b"Benchmark"):
            continue
        if match := TEST.match(line):
            if int(match[2]) != last + 1:
                record.problems.append(Problem(
                    record.number(index), f"test {int(match[2])} after test {last}"))
            last = int(match[2])
            broken += match[1] is not None and match[4] is None
        elif match := PLAN.match(line):
            plan = int(match[1])
    end = record.number(len(record.lines))
    if plan is None and record.end[2] == "pass":
        record.problems.append(Problem(end, "no test plan (1..N)"))
    elif plan not in (None, last):
        record.problems.append(Problem(end, f"{last} tests, but the plan says {plan}"))
    if broken and record.end[2] == "pass":
        record.problems.append(Problem(end, f"status=pass, but {broken} tests are not ok"))
