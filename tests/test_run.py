# SPDX-License-Identifier: BSD-2-Clause
"""`metalcopy run` against emulators that misbehave; test_boot.py has the real ones."""

import os
import shlex

from harness import ROOT, metalcopy, scratch
from synthetic import record

FAKE = os.path.join(ROOT, "tests", "fake-qemu")


STAYS = "exec sleep 100000"


def fake_run(name, script, *options, text=None, timeout=100, args=()):
    """Runs with a shell script in QEMU's place; $LOG is a file with `text` in it."""
    folder = scratch(f"run-{name}")
    log = os.path.join(folder, "log")
    with open(log, "w", encoding="latin-1") as file:
        file.write(record() if text is None else text)
    script = f"LOG={shlex.quote(log)}; {script}"
    return metalcopy("run", "--qemu", FAKE, "--image", "/dev/null", "--timeout", timeout,
                     *options, "--", *args, env={**os.environ, "FAKE_QEMU": script})


def test_good():
    result = fake_run("good", "cat $LOG").expect(0)
    assert result.out.decode() == record() and not result.err, result


def test_only_the_record_comes_out():
    text = "\x1b[2JGRUB\r\n\x1b[mloading METALCOPY START v1\r\n"
    text += record().split("\n", 1)[1].replace("\n", "\r\n") + "halted\r\n"
    result = fake_run("noise", "cat $LOG", text=text).expect(0)
    assert result.out.decode() == record(), result


def test_status_fail():
    fake_run("fail", "cat $LOG", text=record(status="fail")).expect(1, "status=fail")


def test_a_machine_that_stays_on_is_ended():
    fake_run("halt", f"cat $LOG; {STAYS}").expect(0)


def test_time_is_up():
    fake_run("slow", f"head -n 250 $LOG; {STAYS}", timeout=10).expect(
        124, "no END line", "good up to line 202, lines=200", "the time of 10 s is up")


def test_never_started():
    fake_run("dead", f"echo mkR; {STAYS}", timeout=10).expect(
        124, "  mkR", "START never came in 10 s")


def test_qemu_dies():
    fake_run("dies", "head -n 250 $LOG; echo cannot go on >&2; exit 3").expect(
        1, "no END line", "exit status 3", "QEMU said: cannot go on")


def test_a_record_that_was_damaged():
    fake_run("damaged", "sed 150s/Bench/bench/ $LOG").expect(1, "damaged between mark 100")


def test_files():
    folder = scratch("run-files")
    kept, log = f"{folder}/kept", f"{folder}/log"
    text = "boot\n" + record()
    fake_run("output", "cat $LOG", "-o", kept, "--log", log, text=text).expect(0)
    with open(kept, encoding="ascii") as file:
        assert file.read() == record()
    with open(log, encoding="ascii") as file:
        assert file.read() == text
    fake_run("output", "cat $LOG", "-o", kept).expect(2, "is there already; --force")
    fake_run("output", "cat $LOG", "-o", kept, "--force", text=record("fail")).expect(1)
    with open(kept, encoding="ascii") as file:
        assert file.read() == record("fail")


def test_what_is_missing():
    metalcopy("run", "--build", "/nonexistent").expect(2, "metalcopy.elf is not there: make it")
    metalcopy("run", "--image", "/dev/null", "--qemu", "no-such-qemu").expect(2, "make deps")
    metalcopy("run", "--boot", "floppy").expect(2, "invalid choice: 'floppy'")


def test_arguments_reach_the_image():
    folder = scratch("run-arguments")
    fake = os.path.join(folder, "qemu")
    with open(fake, "w", encoding="ascii") as file:
        file.write('#!/bin/sh\nprintf "%s\\n" "$@" >&2\n')
    os.chmod(fake, 0o755)
    def words(*options):
        return metalcopy("run", "--qemu", fake, "--image", "/dev/null", *options).expect(1)
    words("--", "suite=quick", "seed=2").expect(1, "\n-append\nsuite=quick seed=2\n")
    words("--boot", "bios", "--width", "i386", "--", "com=0x3f8,9600").expect(
        1, "\ntype=11,value=metalcopy:i386:com=0x3f8,,9600\n")
    words("--boot", "usb", "--cpu", "max,-avx").expect(
        1, "\nmax,-avx\n", "\ntype=11,value=metalcopy::\n")
    words("--deterministic", "--cpus", "2").expect(1, "\nshift=0,sleep=off\n", "\n-smp\n2\n")
