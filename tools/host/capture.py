# SPDX-License-Identifier: BSD-2-Clause
"""Reads serial ports until each has given a whole record.

  metalcopy capture /dev/ttyUSB0
  metalcopy capture lab1=/dev/ttyUSB0 lab2=/dev/ttyUSB1 -o today/
  metalcopy capture old.log                         a log that was saved by other means
  ssh host cat /dev/ttyS0 | metalcopy capture -

For each device NAME.log gets all that came, and NAME.record the record. What stands
before START is skipped; a machine that restarts begins a new record; an adapter that
goes away is waited for.

exit status: 0 all records came whole (whatever their status says), 1 one did not,
2 a device cannot be used, 124 the time was up first"""

import contextlib
import os
import selectors
import stat
import sys
import termios
import time
import tty

from host import record as records
from host.check import report, summary
from host.cli import Refused
from host.files import refuse_existing, write_atomically

HELP = "read records from serial ports"

AGAIN_S = 0.5  # between tries to open a device that went away
PROGRESS_S = 1.0
SPEEDS = {int(name[1:]): getattr(termios, name) for name in dir(termios)
          if name[0] == "B" and name[1:].isdigit() and name != "B0"}


def arguments(parser):
    parser.add_argument("devices", nargs="+", metavar="[NAME=]DEVICE",
                        help="a serial port, a saved log, or - for standard input")
    parser.add_argument("-s", "--speed", type=int, default=115200, metavar="BAUD",
                        help="bits a second (115200)")
    parser.add_argument("-o", "--output", default=".", metavar="DIR", help="where files go (.)")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds until it gives up")
    parser.add_argument("--force", action="store_true", help="overwrite files that are there")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def set_raw(descriptor, speed):
    """8n1, no flow control, no waiting for a carrier; what came before is not thrown away."""
    tty.setraw(descriptor, termios.TCSANOW)
    settings = termios.tcgetattr(descriptor)
    settings[2] = settings[2] & ~(termios.CSTOPB | termios.PARENB | termios.CRTSCTS) \
        | termios.CLOCAL | termios.CREAD
    settings[4] = settings[5] = SPEEDS[speed]
    termios.tcsetattr(descriptor, termios.TCSANOW, settings)


class Source:
    """A device and what came from it."""

    def __init__(self, word, args):
        name, equals, device = word.partition("=")
        self.device = device if equals else word
        self.name = name if equals else "stdin" if word == "-" else os.path.basename(word)
        self.speed = args.speed
        self.log_path = os.path.join(args.output, self.name + ".log")
        self.record_path = os.path.join(args.output, self.name + ".record")
        self.descriptor = None
        self.serial = False
        self.scanner, self.splitter = records.Scanner(), records.Splitter()
        self.record = None
        self.done = False
        self.log = None

    def open(self):
        """False where the device is not there (yet)."""
        if self.device == "-":
            self.descriptor = sys.stdin.fileno()
            return True
        try:
            descriptor = os.open(self.device, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return False
        self.serial = os.isatty(descriptor)
        if self.serial:
            try:
                set_raw(descriptor, self.speed)
            except termios.error:
                os.close(descriptor)
                return False
        self.descriptor = descriptor
        return True

    def read(self):
        """Takes what is there. False when the device has gone, or the file has ended."""
        try:
            data = os.read(self.descriptor, records.READ_BYTES)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            return False
        try:
            self.log.write(data)
            self.log.flush()
        except OSError as error:
            raise Refused(f"{self.log_path}: {error.strerror}; it has what came before") from error
        for line in self.splitter.split(data):
            self.take(line)
            if self.done:
                break
        return True

    def take(self, line):
        record = self.scanner.feed(line)
        if record is None:
            return
        if record.end_line is None:
            say(f"{self.name}: {record.ended_by}; {summary(record)}")
        self.record = record
        self.done = record.end_line is not None

    def close(self):
        if self.descriptor is not None and self.device != "-":
            os.close(self.descriptor)
        self.descriptor = None

    def finish(self):
        """No more will come: what there is, is kept."""
        self.close()
        if not self.done and self.splitter.rest:
            self.take(self.splitter.rest)
        last = self.scanner.close() if not self.done else None
        self.record = last or self.record
        with contextlib.suppress(OSError):  # what could not be written was told already
            self.log.close()
        os.replace(self.log_path + ".part", self.log_path)
        if self.record:
            write_atomically(self.record_path, self.record.data())
        self.done = True

    def progress(self):
        current = self.scanner.current
        if current is None:
            return f"{self.name}: waiting for START"
        last = current.lines[-1] if current.lines else b""
        return f"{self.name}: {len(current.lines)} lines, {records.text_of(last)[:60]}"


def say(text):
    print(text, file=sys.stderr, flush=True)


class Progress:
    """Where each source is: one line rewritten on a terminal, now and then a line elsewhere."""

    def __init__(self, quiet):
        self.quiet, self.next, self.last = quiet, 0.0, None
        self.every = PROGRESS_S if sys.stderr.isatty() else 10 * PROGRESS_S

    def show(self, sources):
        now = time.monotonic()
        if self.quiet or now < self.next:
            return
        self.next = now + self.every
        text = " | ".join(source.progress() for source in sources if not source.done)
        if text and text != self.last:
            self.last = text
            if sys.stderr.isatty():
                sys.stderr.write("\r\x1b[K" + text[:150])
                sys.stderr.flush()
            else:
                say(text)


def open_all(sources, selector, first):
    for source in sources:
        if source.done or source.descriptor is not None:
            continue
        if source.open():
            try:
                selector.register(source.descriptor, selectors.EVENT_READ, source)
            except PermissionError:  # a regular file: always ready
                read_file(source)
        elif first and not source.device.startswith("/dev/"):
            raise Refused(f"{source.device}: cannot be opened")


def read_file(source):
    while not source.done and source.read():
        pass
    source.finish()


def capture(sources, deadline, progress):
    """Until every source is done. False when the time was up first."""
    with selectors.DefaultSelector() as selector:
        open_all(sources, selector, True)
        while not all(source.done for source in sources):
            if time.monotonic() >= deadline:
                return False
            progress.show(sources)
            for key, _ in selector.select(AGAIN_S):
                source = key.data
                alive = source.read()
                if source.done or not alive:
                    selector.unregister(key.fd)
                    lost(source)
            open_all(sources, selector, False)
            if not selector.get_map():
                time.sleep(AGAIN_S)
    return True


def lost(source):
    """The record has ended, or the device has gone: a port may come back, a stream does not."""
    if source.done or not source.serial:
        source.finish()
        return
    source.close()
    say(f"{source.name}: {source.device} has gone; waiting for it")


def check_arguments(args, sources):
    if args.speed not in SPEEDS:
        raise Refused(f"--speed {args.speed}: not one of {', '.join(map(str, sorted(SPEEDS)))}")
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        raise Refused("two devices of one name; name them: NAME=DEVICE")
    for source in sources:
        if source.device == "-":
            continue
        if not os.path.exists(source.device):
            if os.path.dirname(source.device) != "/dev":
                raise Refused(f"{source.device}: there is no such device or file")
        elif stat.S_ISDIR(os.stat(source.device).st_mode):
            raise Refused(f"{source.device} is a folder")
        elif not os.access(source.device, os.R_OK):
            raise Refused(f"{source.device}: no permission to read it; "
                          "for a serial port, join the group dialout")
    for source in sources:
        refuse_existing((source.log_path, source.record_path), args.force)


def main(args):
    sources = [Source(word, args) for word in args.devices]
    check_arguments(args, sources)
    for source in sources:
        source.log = open(source.log_path + ".part", "wb", buffering=0)
    deadline = time.monotonic() + args.timeout if args.timeout else float("inf")
    in_time = False
    try:
        in_time = capture(sources, deadline, Progress(args.quiet))
    finally:
        for source in sources:
            if not source.log.closed:
                source.finish()
    for source in sources:
        if source.record:
            report(source.log_path, 1, source.record, sys.stderr)
        else:
            say(f"{source.name}: no record: START never came")
    good = all(source.record and source.record.whole for source in sources)
    return 124 if not in_time else 0 if good else 1
