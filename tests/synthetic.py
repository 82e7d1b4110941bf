# SPDX-License-Identifier: BSD-2-Clause
"""Records for tests of the host command. None of their figures was measured."""

import random
import zlib

META = {
    "cpu": "Test CPU", "version": "0.1.0+gtest", "timing": "emulated", "hypervisor": "none",
    "cpu-id": "TestVendor-6-1-1", "microcode": "n/a", "cpus": "1 cores=1 sockets=1 used=1",
    "tsc-hz": "1000000000 source=pit cross=none ppm=0", "tsc-step": "1", "core-hz": "n/a",
    "l1d": "32768/8/64", "l2": "n/a", "l3": "n/a", "dtlb": "n/a", "stlb": "n/a",
    "prefetchers": "n/a", "memory-mib": "512", "firmware": "bios", "args": "suite=quick",
    "seed": "1",
}
CONFIG = {"goos": "metal", "goarch": "amd64", "pkg": "metalcopy"}


def cell(round_number, size, ticks):
    return (f"BenchmarkCopy/exp=test/copy=rep_movsb/n={size}/dst={round_number % 4} 31 "
            f"{ticks} ns/op {size * 1000 / ticks:.1f} MB/s {ticks} ticks/op")


def body(meta=(), cells=240, broken=()):
    """The lines between START and END, without marks. `meta` changes keys; None drops one."""
    keys = {**META, **dict(meta)}
    lines = [f"{key}: {value}" for key, value in CONFIG.items() if key not in dict(meta)]
    lines += [f"META {key}: {value}" for key, value in keys.items() if value is not None]
    lines += ["Unit MB/s better=higher"]
    lines += [cell(number, 64 << number % 8, 100 + number) for number in range(cells)]
    lines += ["# text for people", "TAP version 13"]
    lines += [f"{'not ' if test in broken else ''}ok {test} - contract test {test}"
              for test in range(1, 41)]
    lines += ["1..40",
              "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=test.rep_movsb.64 RESULT=pass UNITS=MB/s "
              "MEASUREMENT=640.0>"]
    if "disturbed" not in dict(meta):
        lines += ["META disturbed: 0 of 7440"]
    return lines


def large(seed, cells=5000, rounds=1):
    """A whole record with all units, whose figures scatter, and the same cells for each seed."""
    dice = random.Random(seed)
    lines = body(meta={"seed": str(seed), "timing": "hardware"}, cells=0)
    where = lines.index("Unit MB/s better=higher") + 1
    values = (dice.uniform(100, 110) for _ in range(cells * rounds))
    lines[where:where] = [
        f"BenchmarkCopy/exp={'grid' if index % 5 else 'size'}/copy=c{index % 25}"
        f"/n={index // 25 * 16}/dst=0/src=1 31 {ns:.3f} ns/op {64000 / ns:.1f} MB/s "
        f"{2.5 * ns:.3f} ticks/op {3 * ns:.3f} cycles/op 0.300 %ci/op"
        for _ in range(rounds) for index, ns in zip(range(cells), values)]
    return framed(lines)


def framed(lines, status="pass"):
    """A whole record, marks and all, as text with LF line ends."""
    out, crc = [], 0
    def put(line):
        nonlocal crc
        out.append(line)
        crc = zlib.crc32(line.encode("latin-1") + b"\n", crc)
    for line in lines:
        if len(out) and len(out) % 100 == 0:
            put(f"META mark: lines={len(out)} crc32={crc:08x}")
        put(line)
    end = f"METALCOPY END v1 lines={len(out)} crc32={crc:08x} status={status}"
    return "\n".join(["METALCOPY START v1", *out, end]) + "\n"


def record(status="pass", **options):
    return framed(body(**options), status)
