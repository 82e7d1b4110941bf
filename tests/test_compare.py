# SPDX-License-Identifier: BSD-2-Clause
"""compare, export, show, list and store: the statistics against scipy's and compare.py's, and
what is done with records that do not belong together."""

import csv
import io
import json
import os
import random
import xml.etree.ElementTree as xml

from harness import METALCOPY, command, metalcopy, scratch
from synthetic import body, framed, large, record

from host import stats  # pylint: disable=wrong-import-order

COMPARE_PY = "/usr/share/benchmark/compare.py"


def noisy(seed, slower=1.0, rounds=7, meta=(), digits=3):
    """A record whose figures scatter, with the same cells for each seed."""
    dice = random.Random(seed)
    lines = [line for line in body(meta=meta) if not line.startswith("Benchmark")]
    where = lines.index("Unit MB/s better=higher") + 1
    cells = [(copy, n) for copy in ("rep_movsb", "int_unrolled") for n in (64, 512, 4096)]
    for _ in range(rounds):
        for copy, n in cells:
            ns = round(n / 10 * (slower if copy == "rep_movsb" else 1) * dice.gauss(1, 0.02),
                       digits)
            lines.insert(where, f"BenchmarkCopy/exp=size/copy={copy}/n={n} 31 {ns} ns/op "
                         f"{n / ns * 1000:.1f} MB/s {ns * 2:.3f} ticks/op")
    return framed(lines)


def write(folder, **texts):
    for name, text in texts.items():
        with open(os.path.join(folder, name + ".record"), "w", encoding="ascii") as file:
            file.write(text)
    return [os.path.join(folder, name + ".record") for name in texts]


def compared(*words):
    """The rows of `compare --json`."""
    return json.loads(metalcopy("compare", "--json", *words).expect(0).out)


# ------------------------------------------------------------ statistics

def test_mann_whitney_is_scipy_s():
    from scipy.stats import mannwhitneyu
    dice = random.Random(7)
    for trial in range(1500):
        draw = (lambda: dice.randint(0, 9)) if trial % 2 else dice.random
        first = [draw() for _ in range(dice.randint(1, 14))]
        second = [draw() for _ in range(dice.randint(1, 14))]
        theirs = mannwhitneyu(first, second, alternative="two-sided").pvalue
        ours = stats.mann_whitney(first, second)
        assert abs(ours - theirs) < 1e-9 or theirs != theirs, (first, second, ours, theirs)


def test_interval_covers_the_median():
    """By its definition: the binomial probability of the ranks that it lies between."""
    from scipy.stats import binom
    assert stats.median_interval([1, 2, 3, 4, 5]) is None
    for count in range(6, 60):
        low, high = stats.median_interval(range(count))
        assert low == count - 1 - high
        assert 1 - 2 * binom.cdf(low, count, 0.5) >= 0.95
        assert 1 - 2 * binom.cdf(low + 1, count, 0.5) < 0.95


def test_holm():
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    assert stats.holm([]) == [] and stats.holm([0.9, 0.8]) == [1.0, 1.0]


def test_compare_py_agrees():
    folder = scratch("compare-google")
    old, new = write(folder, old=noisy(1), new=noisy(2, slower=1.05))
    for path in (old, new):
        with open(path + ".json", "wb") as file:
            file.write(metalcopy("export", "--format", "google-benchmark", path).expect(0).out)
    theirs = command("/usr/bin/python3", COMPARE_PY, "--no-color", "benchmarks", old + ".json",
                     new + ".json").expect(0).out.decode()
    rows = [row for row in compared(old, new) if row["p"] is not None]
    assert len(rows) == 6
    for row in rows:
        line = next(line for line in theirs.splitlines()
                    if line.startswith(row["cell"] + "_pvalue"))
        assert abs(float(line.split()[1]) - row["p"]) < 0.0005, f"{row}\n{line}"


# ------------------------------------------------------------ tables

def test_difference_and_no_difference():
    folder = scratch("compare-table")
    old, new = write(folder, old=noisy(1, rounds=12), new=noisy(2, slower=1.2, rounds=12))
    out = metalcopy("compare", old, new).expect(0, "sec/op", "geomean", "(6 cells)").out.decode()
    for line in out.splitlines():
        if "copy=rep_movsb" in line:
            assert "~" not in line and "%  (p=0.000 n=12)" in line and "  +" in line, line
        if "copy=int_unrolled" in line:
            assert "~" in line, line
    for row in compared(old, new):
        if "rep_movsb" in row["cell"] and row["p"] is not None:
            assert 0.1 < row["change"] < 0.3 and row["p_corrected"] < 0.05, row
            assert row["low"] < row["median"] < row["high"]


def test_few_rounds_give_no_interval():
    folder = scratch("compare-few")
    old, new = write(folder, old=noisy(1, rounds=3), new=noisy(2, rounds=3))
    out = metalcopy("compare", old, new).expect(0, "± ∞", "takes 6 rounds", "rounds=6").out
    # Two samples of 5 differ by chance with p = 0.0079, and there are six comparisons.
    assert b"it takes 5 rounds of each" in out, out
    five = write(folder, **{f"five{seed}": noisy(seed, slower=seed, rounds=5) for seed in (1, 2)})
    out = metalcopy("compare", *five).expect(0, "+").out.decode()
    assert "No difference could be" not in out and "(p=0.048 n=5)" in out, out
    more = write(folder, **{f"more{seed}": noisy(seed, rounds=3) for seed in (3, 4)})
    rows = compared(f"a={old},{more[0]}", f"b={new},{more[1]}")
    assert all(row["samples"] == 6 and row["low"] is not None for row in rows), rows


def test_geometric_mean_takes_matched_cells_only():
    folder = scratch("compare-matched")
    text = "\n".join(line for line in noisy(1).split("\n") if "n=4096" not in line)
    lines = text.split("\n")[1:-2]
    old, new = write(folder, old=noisy(1), new=framed([x for x in lines if "mark:" not in x]))
    metalcopy("compare", old, new).expect(0, "+0.00%", "(4 cells)")


def test_by_copy_and_baseline():
    folder = scratch("compare-by")
    old, = write(folder, old=noisy(1, slower=2.0))
    out = metalcopy("compare", "--by", "copy", "--baseline", "rep_movsb", "--unit", "MB/s",
                    old).expect(0, "B/s").out.decode()
    assert "(3 cells)" in out and "exp=size/n=64 " in out, out
    metalcopy("compare", "--by", "copy", "--baseline", "x", old).expect(
        2, "the columns are int_unrolled, rep_movsb")
    metalcopy("compare", "--by", "nonsense", old).expect(2, "no cell and no record has that key")


def test_by_version():
    folder = scratch("compare-version")
    write(folder, a=noisy(1, meta={"version": "1.0"}), b=noisy(2, meta={"version": "2.0"}))
    names = {row["series"] for row in compared("--by", "version", folder)}
    assert names == {"1.0", "2.0"}


def test_conditions_that_differ_are_said():
    folder = scratch("compare-conditions")
    old, new = write(folder, old=noisy(1), new=noisy(2, meta={"microcode": "0x2b"}))
    metalcopy("compare", old, new).expect(0, "!! CONDITIONS DIFFER: microcode: old n/a; new 0x2b")
    old, new = write(folder, old=noisy(1), new=noisy(2, meta={"timing": "hardware"}))
    metalcopy("compare", old, new).expect(2, "some of these figures are emulated", "--mixed")
    metalcopy("compare", "--mixed", old, new).expect(
        0, "!! CONDITIONS DIFFER: timing: old emulated; new hardware")


def test_bad_records_are_named_and_left_out():
    folder = scratch("compare-bad")
    good, bad = write(folder, good=noisy(1), bad=noisy(2).replace("n=64 ", "n=65 ", 1))
    metalcopy("compare", good, bad).expect(2, "bad.record: record 1 is left out: line",
                                           "no good record in")
    both = os.path.join(folder, "both")
    with open(both, "w", encoding="ascii") as file:
        file.write(noisy(1) + noisy(2).replace("n=64 ", "n=65 ", 1) + noisy(3))
    metalcopy("compare", f"a={both}", good).expect(0, "record 2 is left out", "a: 2 records")


# ------------------------------------------------------------ other forms

def test_export():
    folder = scratch("compare-export")
    path, = write(folder, a=noisy(1))
    def export(kind):
        return metalcopy("export", "--format", kind, path).expect(0).out.decode()
    rows = list(csv.DictReader(io.StringIO(export("csv"))))
    assert len(rows) == 6 * 7 * 3 and rows[0]["cpu"] == "Test CPU", rows[0]
    assert [json.loads(line)["value"] for line in export("jsonl").splitlines()] == \
        [float(row["value"]) for row in rows]
    suite = xml.fromstring(export("junit")).find("testsuite")
    assert suite.get("tests") == "40" and suite.get("failures") == "0"
    go = export("go").splitlines()
    assert go[:4] == ["goos: metal", "goarch: amd64", "pkg: metalcopy", "Unit MB/s better=higher"]
    assert sum(line.startswith("BenchmarkCopy/exp=size/copy=") for line in go) == 42
    broken, = write(folder, broken=record(status="fail", broken=(7,)))
    path = broken
    suite = xml.fromstring(export("junit")).find("testsuite")
    assert suite.get("failures") == "1"


def test_show_is_as_wide_as_the_terminal():
    folder = scratch("compare-show")
    path, = write(folder, a=noisy(1))
    for columns in ("60", "200"):
        out = metalcopy("show", path, env={**os.environ, "COLUMNS": columns}).expect(
            0, "Test CPU", "40 kept, 0 broken", "-- size").out.decode()
        tables = out[out.index("-- size"):]
        assert max(map(len, tables.splitlines()[1:])) <= int(columns), out
    data = json.loads(metalcopy("show", "--json", path).expect(0).out)
    assert len(data[0]["cells"]) == 6 and data[0]["meta"]["seed"] == "1"


def test_what_the_record_says_of_its_figures_is_repeated():
    folder = scratch("compare-remarks")
    lines = [line for line in body(meta={"disturbed": "500 of 1000 shared=500"})
             if "mark:" not in line]
    lines += ["# option error: unknown option \"bogus=1\"",
              "# state l3 of 8192 bytes: of 32 samples 4 in memory: not reached",
              "# size: nocache at bytes 64: no figure: every sample was disturbed"]
    path, = write(folder, a=framed(lines))
    for words in (("check",), ("show",), ("compare",)):
        metalcopy(*words, path).expect(0, 'option error: unknown option "bogus=1"',
                                       "not reached", "gave no figure: 1",
                                       "50% of the timing samples were disturbed")


def test_disturbed_figures_are_left_out_where_the_cell_has_others():
    folder = scratch("compare-disturbed")
    note = "# size: a at bytes 64: some of these samples were disturbed: there were no others"
    lines = [line for line in body(cells=0) if "mark:" not in line]
    for name, figures in (("a", (10, 90, 11)), ("b", (50, 90, 60))):
        for figure in figures:
            lines.append(f"BenchmarkCopy/exp=size/copy={name}/n=64 35 {figure} ns/op")
            if figure == 90 or name == "b":
                lines.append(note)
    path, = write(folder, a=framed(lines))
    metalcopy("check", path).expect(0, "left out where their cell has others: 4")
    cells = json.loads(metalcopy("show", "--json", path).expect(0).out)[0]["cells"]
    assert cells == {"exp=size/copy=a/n=64": {"ns/op": [10, 11]},
                     "exp=size/copy=b/n=64": {"ns/op": [50, 90, 60]}}, cells


def test_list_names_the_damaged_too():
    text = record() + record()[:3000] + "\n" + record().replace("n=64/", "n=65/", 1)
    metalcopy("list", "-", stdin=text.encode()).expect(0, "-:1", "status=pass", "died", "damaged")


def test_list_of_routines():
    lines = body(cells=0) + ["# a: copies bytes", "#   a.plain widths=32,64 needs=- uses=- "
                             "claims=literal here=yes source=us", "#   a.to_user widths=32,64 "
                             "needs=- uses=- claims=safe,nt minimum=8 here=yes source=us"]
    text = framed(lines).encode()
    out = metalcopy("list", "--copies", stdin=text).expect(0).out.decode().splitlines()
    assert out[1].split() == "a yes 32,64 - copies bytes literal: plain; safe,nt: to_user".split()
    out = metalcopy("list", "--copies", stdin=text, env={**os.environ, "COLUMNS": "30"}).out
    assert max(map(len, out.decode().splitlines())) == 30, out
    metalcopy("list", "--copies", stdin=record().encode()).expect(2, "list=copies")


def test_nothing_to_read():
    for name in ("show", "compare"):
        metalcopy(name, "/nonexistent").expect(2, "/nonexistent: No such file")
    metalcopy("show", "-", stdin=b"no record").expect(2, "no good record")
    metalcopy("export", "--format", "xls", "-").expect(2, "invalid choice")


# ------------------------------------------------------------ store

def test_store():
    folder = scratch("store")
    files = write(folder, a=noisy(1), b=noisy(2, meta={"cpu": "Other CPU"}),
                  c=noisy(3).replace("n=64 ", "n=65 ", 1))
    kept = os.path.join(folder, "kept")
    metalcopy("store", kept, "add", *files).expect(1, "2 added, 0 there already, 1 left out")
    before = metalcopy("store", kept, "list").expect(0, "Test CPU", "Other CPU").out
    metalcopy("store", kept, "add", *files[:2]).expect(0, "0 added, 2 there already")
    assert metalcopy("store", kept, "list").out == before
    os.remove(os.path.join(kept, "index.sqlite"))
    metalcopy("store", kept, "rebuild").expect(0, "2 records")
    assert metalcopy("store", kept, "list").out == before
    out = metalcopy("store", kept, "list", "--cpu", "Oth*", "--routine", "rep_*").expect(0).out
    assert out.count(b".record") == 1, out
    assert b".record" not in metalcopy("store", kept, "list", "--routine", "avx*").expect(0).out
    with open(os.path.join(kept, "index.sqlite"), "wb") as file:
        file.write(b"this is no database" * 100)
    metalcopy("store", kept, "list").expect(2, "rebuild")


def test_200_records_of_5000_cells():
    """Imported and compared within 1 GiB; tests/scale has how long it takes."""
    folder = scratch("store-large")
    for number in range(200):
        write(folder, **{f"m{number:03}": large(number)})
    files = sorted(os.path.join(folder, name) for name in os.listdir(folder))
    kept = os.path.join(folder, "kept")
    in_a_gibibyte("store", kept, "add", *files)
    out = in_a_gibibyte("compare", "--csv", "--by", "seed", kept)
    assert out.count("\n") == 200 * 5000 + 1


def in_a_gibibyte(*words):
    limits = 'ulimit -v 1048576; exec "$@"'
    result = command("/bin/sh", "-c", limits, "sh", METALCOPY, *words, timeout=300)
    return result.expect(0).out.decode()
