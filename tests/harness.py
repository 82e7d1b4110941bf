# SPDX-License-Identifier: BSD-2-Clause
"""What tests share. A test is a function test_*() in a file test_*.py, or one of
the (name, function) pairs that the file's tests() gives; it fails by raising."""

import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, os.environ.get("METALCOPY_BUILD", "build"))
METALCOPY = os.path.join(ROOT, "tools", "metalcopy")

sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True


# A time-out is for what hangs, and measures nothing: a machine may be so many times slower
# than the one that a test's time-out was chosen on.
PATIENCE = 5


class Skip(Exception):
    """The test cannot be run here; says why."""


def scratch(name):
    """An empty folder of the test's own; it stays for whoever looks into a failure."""
    path = os.path.join(BUILD, "tests", "scratch", name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


class Result:
    """A command that ended: status, out, err (bytes), and both as text for a message."""

    def __init__(self, argv, done):
        self.argv, self.status, self.out, self.err = argv, done.returncode, done.stdout, done.stderr

    def __str__(self):
        def tail(data):
            return data.decode(errors="replace")[-4000:]
        return f"{' '.join(self.argv)}\nstatus {self.status}\n{tail(self.out)}\n{tail(self.err)}"

    def expect(self, status, *phrases):
        """The exit status, and phrases that must stand in the output."""
        assert self.status == status, f"exit status {self.status}, should be {status}\n{self}"
        for phrase in phrases:
            assert phrase.encode() in self.out + self.err, f"nothing says {phrase!r}\n{self}"
        return self


def command(*argv, timeout=120, stdin=b"", **options):
    argv = [str(word) for word in argv]
    done = subprocess.run(argv, input=stdin, capture_output=True, timeout=timeout * PATIENCE,
                          cwd=ROOT, check=False, **options)
    return Result(argv, done)


def metalcopy(*argv, **options):
    return command(METALCOPY, *argv, **options)


def emulate(*argv, timeout, **options):
    """`metalcopy run`, which ends its QEMU itself when the time is up."""
    return metalcopy("run", "--build", BUILD, "--timeout", timeout * PATIENCE, *argv,
                     timeout=timeout + 30, **options)


def until(look, what, seconds=60):
    """What look() returns as soon as that is true; fails with the words of what()."""
    deadline = time.monotonic() + seconds * PATIENCE
    while not (found := look()):
        assert time.monotonic() < deadline, what()
        time.sleep(0.2)
    return found
