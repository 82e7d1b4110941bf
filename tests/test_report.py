# SPDX-License-Identifier: BSD-2-Clause
"""The report as a person meets it, and the whole way of a record: from the program through a
serial line into the store, and out of it again."""

import json
import os
import re
import subprocess
import threading

from harness import BUILD, METALCOPY, PATIENCE, command, emulate, metalcopy, scratch
from serial_port import Port
from synthetic import body, framed

COPIES = "copy=rep_movs?,int_unrolled,sse2_movdqu8,byte_loop"
HOSTED = os.path.join(BUILD, "hosted", "metalcopy")

# Appended to a copy of the report: tells what a browser made of it. A window cannot be as
# narrow as a telephone; the page in it can.
PROBE = """<pre id="probe"></pre><script>
document.documentElement.style.width = "WIDTHpx";
document.querySelectorAll("details").forEach(d => d.open = true);
document.getElementById("probe").textContent = JSON.stringify({
  wide: document.body.scrollWidth,
  pictures: [...document.querySelectorAll("figure")].map(f => {
    const svg = f.querySelector("svg"), box = svg.getBoundingClientRect();
    return [box.width, box.height, svg.querySelectorAll("path, use").length,
            f.querySelector("figcaption").textContent.length]; }),
  ids: (() => { const all = [...document.querySelectorAll("[id]")].map(e => e.id);
                return all.length - new Set(all).size; })(),
});</script>"""


def hosted(folder, name, *args):
    path = os.path.join(folder, name + ".record")
    with open(path, "wb") as file:
        file.write(command(HOSTED, *args, timeout=600).expect(0).out)
    return path


def browser(folder, page, width):
    """The probe's findings, and what the browser's console said."""
    shot = os.path.join(folder, f"{width}.png")
    result = command(
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={folder}/profile", f"--window-size={width},2000",
        "--enable-logging=stderr", f"--screenshot={shot}", "--dump-dom", f"file://{page}",
        timeout=240).expect(0)
    found = re.search(rb'<pre id="probe">(.*?)</pre>', result.out, re.DOTALL)
    assert found, result
    console = [line for line in result.err.decode(errors="replace").splitlines()
               if "CONSOLE" in line]
    return json.loads(found[1].decode().replace("&amp;", "&")), console


def test_report_of_a_hosted_run_in_a_browser():
    folder = scratch("report")
    path = hosted(folder, "here", "suite=standard", COPIES)
    page = os.path.join(folder, "report.html")
    metalcopy("report", path, "-o", page, timeout=300).expect(0)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for outside in ("<script", r'(src|href)="(?!#|data:)', r"url\((?!#)"):
        assert not re.search(outside, text), f"not self-contained: {outside}"
    for part in ("hosted", "contract", "✓ literal", "fastest", "as published", "L1D",
                 "One routine for all sizes", "for kernel code", "L1 to L1"):
        assert part in text, f"no {part!r} in the report"
    for width in (1000, 400):
        probed = os.path.join(folder, f"probed-{width}.html")
        with open(probed, "w", encoding="utf-8") as file:
            file.write(text.replace("</body>", PROBE.replace("WIDTH", str(width)) + "</body>"))
        found, console = browser(folder, probed, width)
        assert not console, console
        assert len(found["pictures"]) == text.count("<figure>") >= 3, found
        for wide, high, shapes, words in found["pictures"]:
            assert wide > 300 and high > 80 and shapes > 10 and words > 20, found
        assert found["ids"] == 0, "identifiers that stand twice"
        assert found["wide"] <= width, f"{found['wide']} wide in {width}"


def test_pictures_alone():
    folder = scratch("report-png")
    path = hosted(folder, "here", "suite=quick", "exp=size", COPIES)
    metalcopy("report", path, "--png", f"{folder}/png", timeout=300).expect(0, "pictures in")
    names = os.listdir(f"{folder}/png")
    assert names and all(name.startswith("here-size-") for name in names), names
    for name in names:
        with open(f"{folder}/png/{name}", "rb") as file:
            assert file.read(8) == b"\x89PNG\r\n\x1a\n"


def test_many_machines_and_an_outlier():
    folder = scratch("report-fleet")
    files = []
    for number in range(12):
        slow = 2 if number == 7 else 1
        lines = [line for line in body(meta={"timing": "hardware"})
                 if not line.startswith("Benchmark")]
        where = lines.index("Unit MB/s better=higher") + 1
        lines[where:where] = [
            f"BenchmarkCopy/exp=size/copy={copy}/n={n} 31 {n * slow * (1 + number / 5000):.3f} "
            f"ns/op {1000 / slow / (1 + number / 5000):.1f} MB/s"
            for copy in ("rep_movsb", "nocache") for n in (64, 256, 1024, 4096)]
        files.append(os.path.join(folder, f"m{number}.record"))
        with open(files[-1], "w", encoding="ascii") as file:
            file.write(framed(lines))
    page = os.path.join(folder, "report.html")
    metalcopy("report", *files, "-o", page, "--details", "2", timeout=300).expect(0)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    assert "All machines" in text and text.count("<section") == 2
    outliers = re.findall(r"Outliers: ([^<]*)\.<", text)[0].split("; ")
    assert sorted(outliers) == ["m7 nocache -50 %", "m7 rep_movsb -50 %"], outliers
    assert text.count("▼ -50 %") == 2


def test_every_kind_of_picture():
    """Curves, maps, ratio maps, and stacks of parts and of a call's own cost."""
    folder = scratch("report-kinds")
    cells = [f"exp=size/copy={c}/n={n}" for c in ("rep_movsb", "b") for n in (64, 256, 1024, 4096)]
    cells += [f"exp=align/copy={c}/n=64/dst={d}/src={s}" for c in ("rep_movsb", "b")
              for d in range(4) for s in range(4)]
    cells += [f"exp=pollution/copy={c}/n=4096/part={p}" for c in ("rep_movsb", "b")
              for p in ("copy", "walk", "read")]
    cells += [f"exp=cache/copy={c}/n=64/src={s}/dst={d}" for c, s, d in (
        ("b", "memory", "l2"), ("rep_movsb", "l1", "l1"), ("b", "l1", "l1"))]
    cells += ["exp=entry/copy=none/n=0/entry=syscall/call=null"]
    cells += [f"exp=file/copy={c}/n=8192/dst=0" for c in ("rep_movsb", "b")]
    lines = [line for line in body() if not line.startswith("Benchmark")]
    where = lines.index("Unit MB/s better=higher") + 1
    lines[where:where] = [f"BenchmarkCopy/{cell} 31 {100 + 7 * i}.000 ns/op {1000 + i}.0 MB/s"
                          for i, cell in enumerate(cells)]
    path = os.path.join(folder, "a.record")
    with open(path, "w", encoding="ascii") as file:
        file.write(framed(lines))
    metalcopy("report", path, "--png", f"{folder}/png", timeout=300).expect(0, "6 pictures")
    page = os.path.join(folder, "report.html")
    metalcopy("report", path, "-o", page, timeout=300).expect(0)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for words in ("a: size: bandwidth, B/s against bytes copied, 2 routines",
                  "a: align: bandwidth, B/s; destination, bytes after a page boundary (down)",
                  "align, beside rep_movsb: times as fast as rep_movsb",
                  "the sum of copy, walk, read", "the sum of crossing, the rest",
                  "a mark for each routine in each state. The fastest: L1 to L1: rep_movsb; "
                  "memory to L2: b."):
        assert words in text, words
    metalcopy("report", path, "-o", page).expect(2, "is there already")


def over_a_line(folder, name, record):
    """The record through a pseudo-terminal with CR LF line ends; the captured file."""
    port = Port(folder, name + ".port")
    process = subprocess.Popen([METALCOPY, "capture", f"{name}={port.path}", "-o", folder,
                                "--timeout", str(120 * PATIENCE), "--quiet"],
                               stderr=subprocess.PIPE)
    writer = threading.Thread(target=port.say, args=(record.replace(b"\n", b"\r\n"),))
    writer.start()
    err = process.communicate(timeout=180 * PATIENCE)[1]
    writer.join()
    assert process.returncode == 0, err
    return os.path.join(folder, name + ".record")


def test_the_whole_way():
    """Two hosted and two emulated runs through capture, store, compare, report and export."""
    folder = scratch("report-way")
    args = ("suite=quick", "exp=dst-align", "rounds=6", COPIES)
    captured = {}
    for number in ("1", "2"):
        captured["hosted" + number] = over_a_line(
            folder, "hosted" + number, command(HOSTED, *args, timeout=300).expect(0).out)
        emulated = emulate("--", *args, timeout=300)
        captured["emulated" + number] = over_a_line(
            folder, "emulated" + number, emulated.expect(0).out)
    store = os.path.join(folder, "store")
    metalcopy("store", store, "add", *captured.values()).expect(0, "4 added")
    metalcopy("store", store, "list", "--timing", "emulated").expect(0, "QEMU")
    for kind in ("hosted", "emulated"):
        metalcopy("compare", captured[kind + "1"], captured[kind + "2"]).expect(
            0, "exp=dst-align/copy=rep_movsb/n=8192/dst=1", "geomean")
    metalcopy("compare", captured["hosted1"], captured["emulated1"]).expect(2, "--mixed")
    page = os.path.join(folder, "report.html")
    metalcopy("report", store, "-o", page, timeout=300).expect(0, "4 records")
    with open(page, encoding="utf-8") as file:
        assert "Emulated and real figures stand side by side" in file.read()
    # every round counts there: a hosted one can be left out as disturbed, on a busy machine
    google_benchmark_agrees(folder, captured["emulated1"], captured["emulated2"])


def google_benchmark_agrees(folder, *records):
    """compare.py of libbenchmark-tools over our export, against our own table."""
    exported = []
    for number, record in enumerate(records):
        exported.append(os.path.join(folder, f"{number}.json"))
        with open(exported[-1], "wb") as file:
            file.write(metalcopy("export", "--format", "google-benchmark", record).expect(0).out)
    theirs = command("/usr/bin/python3", "/usr/share/benchmark/compare.py", "--no-color",
                     "benchmarks", *exported).expect(0).out.decode()
    ours = json.loads(metalcopy("compare", "--json", *records).expect(0).out)
    compared = [row for row in ours if row["p"] is not None]
    assert len(compared) >= 24, ours
    for row in compared:
        line = next(line for line in theirs.splitlines()
                    if line.startswith(row["cell"] + "_pvalue"))
        assert abs(float(line.split()[1]) - row["p"]) < 0.0005, f"{row}\n{line}"
