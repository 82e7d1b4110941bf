# SPDX-License-Identifier: BSD-2-Clause
"""The hosted program: the whole chain on the real CPU, and what other tools make of its record."""

import os
import re
import signal
import subprocess

from harness import BUILD, command, metalcopy, scratch

PROGRAM = os.path.join(BUILD, "hosted", "metalcopy")


def hosted(*args):
    return command(PROGRAM, *args, timeout=300)


def test_quick():
    result = hosted("suite=quick").expect(0, "META timing: hosted", "Benchmark")
    metalcopy("check", "--passed", stdin=result.out).expect(0)


def test_prove_reads_it():
    path = os.path.join(scratch("hosted-prove"), "record")
    with open(path, "wb") as file:
        file.write(hosted("suite=quick", "copy=rep_movs?,byte_loop").out)
    command("prove", "--exec", "cat", path).expect(0, "Result: PASS")


def test_one_process_says_the_same_as_many():
    def contract(*more):
        out = hosted("suite=quick", "exp=none", "copy=rep_movs*,int_*", *more).expect(0).out
        return re.findall(r"^(?:not ok |ok |  |# .*cases, ).*$", out.decode(), re.MULTILINE)

    assert contract() == contract("cpus=1")


def test_wherever_the_system_maps_areas():
    """Bottom up, far lower than else, where the stack may grow without limit."""
    command("sh", "-c", "ulimit -s unlimited && exec \"$@\"", "sh", PROGRAM, "suite=quick",
            "exp=none", "copy=rep_movsb", timeout=300).expect(0, "status=pass")


def test_ticks_from_outside_give_nothing_up():
    with subprocess.Popen([PROGRAM, "suite=contract", "exp=none", "copy=rep_movsb", "cpus=1"],
                          stdout=subprocess.PIPE) as process:
        for line in process.stdout:
            for _ in range(20000 if line.startswith(b"ok ") else 0):
                process.send_signal(signal.SIGPROF)
    assert process.returncode == 0, f"exit status {process.returncode}"


def test_options_that_make_no_sense_are_named():
    result = hosted("suite=quick", "copy=rep_movsb,nosuch", "exp=dst-algn,entry", "bogus=1",
                    "seed=x", "word").expect(0, 'not all arguments made sense')
    for words in ('unknown option "bogus=1"', 'bad value in "seed=x"', '"word" is not key=value',
                  'no routine is named "nosuch"', 'no experiment is named "dst-algn"'):
        assert f"# option error: {words}" in result.out.decode(), result


def test_what_is_skipped_says_why():
    hosted("suite=quick", "exp=memtype,read-align", "copy=byte_loop").expect(
        0, "experiment memtype # SKIP needs ring 0",
        "experiment read-align # SKIP no routine to measure")


def test_instructions_that_no_CPU_here_has():
    result = command(os.path.join(BUILD, "hosted", "direct-stores"), "suite=quick", "exp=none",
                     "copy=movdir*,rep_movsb_cldemote", timeout=300).expect(0)
    for form in ("movdir64b_lines to_user", "movdiri_blocks to_user", "rep_movsb_cldemote plain"):
        assert f" - contract {form} literal\n" in result.out.decode(), result


def test_lists():
    for what, word in (("copies", "rep_movsb.from_user_zero"), ("experiments", "dst-align"),
                       ("options", "seed")):
        result = hosted(f"list={what}").expect(0, word)
        metalcopy("check", "--passed", stdin=result.out).expect(0)
    unknown = hosted("list=nosuch").expect(0, 'bad value in "list=nosuch"', "list=copies|")
    assert b"BenchmarkCopy" not in unknown.out, "who asks for a list wants no run"


def test_the_small_world_says_what_is_real():
    hosted("suite=quick", "exp=entry,file", "copy=rep_movs?", "rounds=1", "pti=on").expect(
        0, "the program is a function of this process", "pti=on skipped: a process has no page",
        "a call by function that does nothing", " 0 failures")
