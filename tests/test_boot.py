# SPDX-License-Identifier: BSD-2-Clause
"""Real runs in QEMU: those of runs.table, and what a table cannot say."""

import fcntl
import os
import re

from harness import BUILD, ROOT, command, emulate, scratch
from host.run import FIRMWARE

QEMU = ("qemu-system-x86_64", "-accel", "tcg", "-nodefaults", "-display", "none", "-no-reboot",
        "-m", "256", "-device", "isa-debug-exit,iobase=0xf4,iosize=4")
KERNELS = {width: os.path.join(BUILD, width, "metalcopy.elf") for width in ("i386", "x86_64")}
IMAGE = os.path.join(BUILD, "metalcopy.iso")

# QEMU's exit status for the value that the kernel writes, 2 * value + 1 (kernel/end.c).
PASSED = 33


def run(name, *options, status=0, timeout=120, args=()):
    """`metalcopy run`; returns the record as text."""
    result = emulate(*options, "--log", os.path.join(scratch("boot-" + name), "log"), "--", *args,
                     timeout=timeout)
    return result.expect(status).out.decode()


def table_row(line):
    row, *patterns = (part.strip() for part in re.split(r"\s;\s", line))
    row, _, extra = row.partition(" | ")
    boot, width, cpu, memory, timeout, expect, *args = row.split()
    args = [] if args == ["-"] else args
    emulator, how = ("tests/bochs", "kernel") if boot == "bochs" else (QEMU[0], boot)
    options = ["--boot", how]
    model, _, cpus = cpu.partition("*")
    for option, value in (("--width", width), ("--cpu", model), ("--memory", memory),
                          ("--cpus", cpus or "-")):
        options += [] if value == "-" else [option, value]
    own = re.findall(r"--\S+ \S+", extra)
    options += " ".join(own).split()
    qemu = re.sub(r"--\S+ \S+", "", extra)
    options += ["--qemu", f"{emulator} {qemu}"]
    title = " ".join(word for word in (boot, width, cpu, memory, *args, extra) if word)

    def test():
        record = run(re.sub(r"[^\w.=-]+", "_", title), *options, timeout=int(timeout), args=args,
                     status={"pass": 0, "fail": 1}[expect])
        for pattern in patterns:
            assert re.search(pattern, record, re.MULTILINE), f"no {pattern!r} in\n{record}"
    return title, test


def table_tests(name):
    with open(os.path.join(ROOT, "tests", name), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield table_row(line)


def tests():
    yield from table_tests("runs.table")
    yield from table_tests("machines.table")


def twice_the_same(name, *options, **more):
    """Two runs whose clock counts instructions, byte for byte."""
    first, second = (run(f"same-{name}-{number}", "--deterministic", *options, **more)
                     for number in (1, 2))
    assert "Benchmark" in first, first
    for one, other in zip(first.splitlines(), second.splitlines()):
        assert one == other, f"{name}:\n{one}\n{other}"
    assert first == second


def test_two_deterministic_runs_are_the_same():
    for width in KERNELS:
        twice_the_same(width, "--width", width, args=["seed=3"], timeout=240)


def test_x2APIC_left_on():
    """As some firmware does with many CPUs; here GRUB does it, on Bochs: QEMU 7.2 has none."""
    record = run("x2apic", "--qemu", "tests/bochs -before 'wrmsr 0x1b 0xfee00d00'",
                 "--cpu", "corei7_haswell_4770", "--cpus", 2, args=["list=options"], timeout=300)
    assert re.search("^META cpus: 2 .*used=2$", record, re.MULTILINE), record


def test_one_to_eight_CPUs():
    for cpus in range(1, 9):
        record = run(f"cpus-{cpus}", "--cpus", cpus, "--width", ("x86_64", "i386")[cpus % 2],
                     args=[f"cpus={cpus}", "list=options"])
        assert re.search(f"^META cpus: {cpus} .*used={cpus}$", record, re.MULTILINE), record


def test_no_serial_port_and_no_screen():
    for width, kernel in KERNELS.items():
        command(*QEMU, "-serial", "none", "-vga", "none", "-kernel", kernel,
                timeout=120).expect(PASSED), width


def test_no_serial_port_from_CD():
    for firmware in ("bios", "uefi"):
        command(*QEMU, "-serial", "none", "-vga", "std", *FIRMWARE[firmware], "-cdrom", IMAGE,
                "-smbios", "type=11,value=metalcopy::list=options", timeout=180).expect(PASSED)


def test_a_serial_port_that_takes_no_more():
    """QEMU writes into a pipe that nobody reads: the run goes on without it."""
    pipe = os.path.join(scratch("boot-stalled"), "pipe")
    for end in (".in", ".out"):
        os.mkfifo(pipe + end)
    unread = os.open(pipe + ".out", os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.fcntl(unread, fcntl.F_SETPIPE_SZ, 4096)
        command(*QEMU, "-vga", "none", "-chardev", f"pipe,id=record,path={pipe}",
                "-serial", "chardev:record", "-kernel", KERNELS["x86_64"],
                "-append", "list=copies", timeout=120).expect(PASSED)
        said = os.read(unread, 1 << 16)
    finally:
        os.close(unread)
    assert b"METALCOPY START" in said and b"METALCOPY END" not in said, said


def test_every_end():
    """end=halt leaves the machine on (run ends it); the others end QEMU by themselves."""
    run("end-halt", args=["end=halt", "list=options"])
    for end, status in (("reboot", 0), ("off", 0), ("exit", PASSED)):
        for machine, acpi in (("pc", "on"), ("q35", "on"), ("q35", "off"),
                              ("microvm,acpi=on,pit=off,pic=off,rtc=off", "on")):
            command(*QEMU, "-machine", machine, "-serial", "null", "-kernel", KERNELS["x86_64"],
                    "-append", f"end={end} acpi={acpi} list=options", timeout=60).expect(status)


def test_the_serial_port_that_the_firmware_names():
    """COM1 is there and works, but SPCR or DBG2 name COM2."""
    folder = scratch("boot-named-port")
    com2 = bytes([1, 8, 0, 1]) + (0x2f8).to_bytes(8, "little")
    device = bytes([0, 34, 0, 1]) + bytes(8) + bytes([0, 0x80, 0, 0, 0, 0, 22, 0, 0, 0]) + com2
    tables = {"SPCR": bytes(4) + com2 + bytes(6) + bytes([3]) + bytes(21),
              "DBG2": bytes([44, 0, 0, 0, 1, 0, 0, 0]) + device}
    for name, body in tables.items():
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(body)
        record = run(f"port-by-{name}", "--boot", "bios", "--qemu",
                     f"qemu-system-x86_64 -serial null -acpitable sig={name},data={path}",
                     args=["list=options"])
        assert "status=pass" in record
