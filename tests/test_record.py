# SPDX-License-Identifier: BSD-2-Clause
"""`metalcopy check`: whole records are accepted, every kind of damage is refused and placed."""

import os
import zlib

from harness import METALCOPY, command, metalcopy, scratch
from synthetic import body, framed, record


def check(text, status, *phrases, options=()):
    data = text if isinstance(text, bytes) else text.encode("latin-1")
    return metalcopy("check", *options, "-", stdin=data).expect(status, *phrases)


def changed(line, to):
    """A whole record in which one line of the log (from 1) is replaced, or dropped for None."""
    lines = record().split("\n")
    lines[line - 1:line] = [] if to is None else [to]
    return "\n".join(lines)


def test_whole():
    check(record(), 0, "-:1: record 1: whole, status=pass", "240 benchmark lines, 40 tests")


def test_from_files():
    folder = scratch("record-files")
    for name, text in (("a", record()), ("b", changed(50, "damage"))):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    metalcopy("check", f"{folder}/a").expect(0, f"{folder}/a:1: record 1: whole")
    metalcopy("check", f"{folder}/a", f"{folder}/b").expect(1, f"{folder}/b:1: damaged between")
    metalcopy("check", f"{folder}/none").expect(2, "none: No such file")


def test_cr_lf():
    check(record().replace("\n", "\r\n"), 0, "whole")


def test_no_line_end_after_END():
    check(record().rstrip("\n"), 0, "whole")


def test_noise_around():
    noise = b"\x00\xff\x1b[2J GRUB loading\r\n\x1b[0;1m"
    check(noise + record().encode() + b"\x80\x00 garbage" * 1000, 0, "-:2: record 1: whole")


def test_status_fail_is_whole():
    text = record(status="fail", broken=(7,))
    check(text, 0, "status=fail")
    check(text, 1, options=["--passed"])


def test_nothing():
    check("", 1, "no record")
    check("just\nlines\n", 1, "no record")


def test_several_records():
    text = record() + "between\n" + changed(50, "x") + record()
    check(text, 1, "-:1: record 1: whole", "record 2: no part of it", "record 3: whole")


def test_other_version():
    check(record().replace("START v1", "START v9"), 1, "record version 9")


def test_changed_byte_is_placed():
    check(changed(150, "Benchmark changed"), 1,
          "good up to line 102, lines=100",
          "-:102: damaged between mark 100 (line 102) and mark 200 (line 202): ",
          "100 lines with crc32",
          "-:150: not a benchmark line")


def test_change_before_the_first_mark():
    check(changed(20, "# x"), 1, "-:1: damaged between START (line 1) and mark 100 (line 102)",
          "no part of it can be trusted")


def test_change_after_the_last_mark():
    check(changed(305, "# x"), 1, "damaged between mark 300 (line 302) and END (line 314)",
          "good up to line 302, lines=300")


def test_two_damages_are_both_placed():
    lines = record().split("\n")
    lines[49] = lines[249] = "# damage"
    output = check("\n".join(lines), 1, "between START (line 1) and mark 100",
                   "between mark 200 (line 202) and mark 300").out
    assert output.count(b"damaged between") == 2, output


def test_lost_line():
    check(changed(150, None), 1, "between mark 100 (line 102) and mark 200 (line 201): "
          "lines missing: 1")


def test_extra_line():
    check(changed(150, "[ 12.3] noise\n# noise"), 1, "mark 200 (line 203): lines too many: 1")


def test_lost_mark():
    check(changed(202, None), 1, "between mark 100 (line 102) and mark 300 (line 301): "
          "lines missing: 1")


def test_damaged_mark():
    """A mark that is wrong, and one that does not even look like one: just that line is bad."""
    mark = record().split("\n")[201]
    assert mark.startswith("META mark: lines=200"), mark
    for wrong in (mark[:-1] + ("0" if mark[-1] != "0" else "1"), mark.replace("=200", "=900"),
                  "\xffETA m"):
        out = check(changed(202, wrong), 1, "-:202: damaged mark:", "should be").out
        assert b"damaged between" not in out, out


def test_every_changed_line_is_found():
    """Whichever line is changed, the damage is placed within 100 lines that hold it."""
    lines = record().split("\n")
    folder = scratch("record-every")
    for number in range(2, 314, 7):
        path = os.path.join(folder, str(number))
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join([*lines[:number - 1], lines[number - 1] + "~", *lines[number:]]))
    result = command(METALCOPY, "check", *(f"{folder}/{n}" for n in range(2, 314, 7))).expect(1)
    for number in range(2, 314, 7):
        first = (number - 3) // 100 * 100 + 2 if number > 102 else 1
        where = f"{folder}/{number}:{first}: damaged between"
        assert where in result.out.decode(), f"{where}\n{result}"


def test_died():
    text = "\n".join(record().split("\n")[:250]) + "\n"
    check(text, 1, "good up to line 202, lines=200",
          "-:250: no END line, the run died: the log ends")


def test_died_in_the_middle_of_a_line():
    check(record()[:9000], 1, "no END line")


def test_restart():
    text = "\n".join(record().split("\n")[:250])
    check(text + "METALCOPY START v1\n" + record().split("\n", 1)[1], 1,
          "the machine started again at line 250", "-:250: record 2: whole")


def test_damaged_END():
    check(record().replace("status=pass", "status=paSs"), 1, "-:314: damaged END line",
          "good up to line 302")


def test_wrong_END():
    check(record().replace("END v1 lines=312", "END v1 lines=313"), 1, "lines missing: 1")


def test_every_key_is_demanded():
    for key in ("cpu", "timing", "tsc-hz", "seed", "disturbed", "l3"):
        check(record(meta={key: None}), 1, f"missing keys: {key}")
    check(framed([line for line in body() if not line.startswith("goarch")]), 1,
          "missing keys: goarch")


def test_timing_is_one_of_four():
    check(record(meta={"timing": "guessed"}), 1, "timing: guessed is none of hardware, virtual")


def test_long_line():
    check(framed(["# " + "x" * 239, *body()]), 1, "-:2: 241 bytes; a line has at most 240")


def test_bytes_that_are_not_text():
    check(framed(["# \x00", *body()]), 1, "-:2: bytes that are not printable ASCII: # \\x00")
    check(framed(["# \xe9", *body()]), 1, "-:2: bytes that are not printable ASCII: # \\xe9")


def test_plan():
    check(framed([line for line in body() if line != "1..40"]), 1, "no test plan")
    check(framed([line.replace("1..40", "1..41") for line in body()]), 1, "the plan says 41")
    check(framed([line.replace("ok 7 ", "ok 8 ") for line in body()]), 1, "test 8 after test 6")


def test_status_must_fit_the_tests():
    check(record(broken=(7,)), 1, "status=pass, but 1 tests are not ok")
    todo = [line.replace("ok 7 -", "not ok 7 - # TODO claims safe only") for line in body()]
    assert sum("TODO" in line for line in todo) == 1
    check(framed(todo), 0)


def test_names_of_LAVA_cases():
    lava = next(line for line in body() if line.startswith("<LAVA"))
    again = lava.replace("test.rep_movsb", "TEST-rep.movsb")
    other = lava.replace("test.rep_movsb", "test.rep_movsl")
    check(framed([*body(), other]), 0)
    check(framed([*body(), again.replace("TEST-rep.movsb", "Test/rep_movsb")]), 1,
          "a LAVA test case of that name")
    check(framed([*body(), "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=a b>"]), 1, "not a LAVA line")
    check(framed([*body(), *(lava.replace("movsb", f"x{i}y") for i in range(200))]), 1,
          "201 LAVA lines")


def test_names_that_Go_tools_misread():
    check(framed([*body(), "BenchmarkCopy/exp=a/copy=x-2 5 1 ns/op"]), 1, "ends in a dash")


def test_checksum_is_zlib():
    """Against an END line that was worked out by hand."""
    lines = body()
    crc = zlib.crc32(("\n".join(lines[:90]) + "\n").encode())
    text = "\n".join(["METALCOPY START v1", *lines[:90],
                      f"METALCOPY END v1 lines=90 crc32={crc:08x} status=pass"])
    out = check(text, 1).out
    assert b"damaged" not in out and b"no test plan" in out, out


def test_line_without_end():
    """Of a line of many megabytes only the ends are kept: START may stand at its end."""
    check(b"x" * (8 << 20), 1, "no record")
    check(b"\xff" * (8 << 20) + record().encode(), 0, "-:1: record 1: whole")
    lines = record().encode().split(b"\n")
    lines[149] = b"\0" * (8 << 20)
    result = check(b"\n".join(lines), 1, "-:102: damaged between mark 100 (line 102)",
                   "bytes or more; a line has at most 240")
    assert len(result.out) < 5000, len(result.out)


def test_many_bad_lines_are_counted():
    out = check("METALCOPY START v1\n" + "\xff\n" * 10000, 1, "and 9980 more such lines").out
    assert out.count(b"\n") == 23, out


def test_large_log():
    """A log of 200 MB around its records takes little memory."""
    noise = b"a line of another program on the same console, of some hundred bytes" * 2 + b"\n"
    path = os.path.join(scratch("record-large"), "log")
    with open(path, "wb") as file:
        file.write(record().encode())
        for _ in range(200):
            file.write(noise * (1000000 // len(noise)))
        file.write(record().encode())
    result = command("/bin/sh", "-c", 'ulimit -v 200000; exec "$@"', "sh", METALCOPY, "check", path)
    result.expect(0, "record 2: whole")
    os.remove(path)
