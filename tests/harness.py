# SPDX-License-Identifier: BSD-2-Clause
"""What tests share. A test is a function test_*() in a file test_*.py, or one of
the (name, function) pairs that the file's tests() gives; it fails by raising."""

import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, os.environ.get("METALCOPY_BUILD", "build"))
METALCOPY = os.path.join(ROOT, "tools", "metalcopy")

sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True


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
    done = subprocess.run(argv, input=stdin, capture_output=True, timeout=timeout, cwd=ROOT,
                          check=False, **options)
    return Result(argv, done)


def metalcopy(*argv, **options):
    return command(METALCOPY, *argv, **options)
