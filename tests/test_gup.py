# SPDX-License-Identifier: BSD-2-Clause
"""Pinning under fire: the sound forms last, and each faulty one is caught (tests/faulty/pin.c)."""

import re

from harness import BUILD, emulate

WIDTHS = ("x86_64", "i386")
FAULTS = ("interrupts", "reference", "shootdown")

# QEMU's CPU cannot run it, so the contract takes no time; the torture has its own.
NO_COPY = "copy=avx512_vmovdqu"


def torture(width, *args):
    return emulate("--image", f"{BUILD}/{width}/faulty.elf", "--cpus", 2, "--",
                   "exp=gup-torture", NO_COPY, *args, timeout=240)


def lasts(width):
    torture(width, "torture=1000").expect(0, "0 pages lost while pinned", "0 stale writes")


def caught(width, fault):
    result = torture(width, "torture=10000", f"pinfault={fault}").expect(1)
    record = result.out.decode()
    failed = re.findall(r"^not ok \d+ - (.*)$", record, re.MULTILINE)
    assert failed == ["experiment gup-torture"], result
    assert re.search(r"stale write: frame|[1-9]\d* pages lost while pinned", record), result


def tests():
    for width in WIDTHS:
        yield f"torture {width} without a fault", lambda width=width: lasts(width)
        for fault in FAULTS:
            yield f"torture {width} {fault}", lambda width=width, fault=fault: caught(width, fault)
