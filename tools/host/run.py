# SPDX-License-Identifier: BSD-2-Clause
"""Runs metalcopy in QEMU: the record goes to standard output as it comes.

  metalcopy run                              the x86_64 kernel, suite=quick
  metalcopy run --width i386 --cpu pentium3
  metalcopy run --boot uefi -- exp=dst-align rounds=5
  metalcopy run -o first.record

exit status: 0 for a complete record with status=pass, 1 for one that is not,
2 when QEMU or something to boot is missing, 124 when the time is up"""

import os
import re
import selectors
import shlex
import shutil
import subprocess
import sys
import time
from collections import deque

from host import record as records
from host.check import report
from host.cli import Refused
from host.files import refuse_existing, write_atomically

HELP = "run in QEMU"

WIDTHS = ("x86_64", "i386")
OVMF = "/usr/share/OVMF/"
FLASH = "if=pflash,format=raw,"

# How each path boots: the firmware's options, and the medium's. A stick hangs on
# the bus that its firmware boots from; {image} is the image, {netboot} the folder for
# the network.
FIRMWARE = {
    "bios": [],
    "uefi": ["-machine", "q35",
             "-drive", FLASH + f"readonly=on,file={OVMF}OVMF_CODE_4M.fd",
             "-drive", FLASH + f"snapshot=on,file={OVMF}OVMF_VARS_4M.fd"],
    "uefi32": ["-machine", "q35,smm=on",
               "-global", "driver=cfi.pflash01,property=secure,value=on",
               "-drive", FLASH + f"readonly=on,file={OVMF}OVMF32_CODE_4M.secboot.fd",
               "-drive", FLASH + f"snapshot=on,file={OVMF}OVMF32_VARS_4M.fd"],
}
DISK = ["-drive", "if=none,id=disk,format=raw,snapshot=on,file={image}"]


def network(program):
    return ["-netdev", "user,id=net,tftp={netboot},bootfile=" + program,
            "-device", "virtio-net-pci,netdev=net,bootindex=0"]


MEDIA = {
    "cd": ["-cdrom", "{image}"],
    "usb": [*DISK, "-device", "qemu-xhci", "-device", "usb-storage,drive=disk,bootindex=0"],
    "ehci": [*DISK, "-device", "usb-ehci", "-device", "usb-storage,drive=disk,bootindex=0"],
    "virtio": [*DISK, "-device", "virtio-blk-pci,drive=disk,bootindex=0"],
}
NETWORK = {
    "bios-pxe": network("metalcopy.pxe"),
    "bios-ipxe": network("metalcopy.ipxe"),
    "uefi-pxe": network("BOOTX64.EFI"),
    "uefi32-pxe": network("BOOTIA32.EFI"),
}
# "bios" and "uefi" alone are from CD, a medium alone is by BIOS.
BOOTS = {
    "kernel": [],
    **{firmware: FIRMWARE[firmware] + MEDIA["cd"] for firmware in FIRMWARE},
    **{f"{firmware}-{medium}".removeprefix("bios-"): FIRMWARE[firmware] + MEDIA[medium]
       for firmware in FIRMWARE for medium in MEDIA if medium != "cd"},
    **{path.removeprefix("bios-"): FIRMWARE[path.partition("-")[0]] + options
       for path, options in NETWORK.items()},
}

# Where the record comes out of the machine.
SERIAL = {
    "com1": ["-serial", "stdio"],
    "com2": ["-serial", "none", "-serial", "stdio"],
    "pci": ["-chardev", "stdio,id=record", "-device", "pci-serial,chardev=record"],
}

# Everything that QEMU could take from the host's clock comes from the count of
# instructions instead.
DETERMINISTIC = ["-icount", "shift=0,sleep=off", "-rtc", "base=2020-01-01,clock=vm"]

# How long QEMU may live on after the END line: end=halt and end=reboot leave it running.
GRACE_S = 2.0
REFUSAL = b"metalcopy: this CPU "  # boot/entry.asm: after it the kernel stands still
LOG_MAX = 256 << 20


def arguments(parser):
    parser.add_argument("--build", default="build", metavar="DIR", help="where make built (build)")
    parser.add_argument("--width", choices=WIDTHS, help="default: x86_64, or as the menu picks")
    parser.add_argument("--boot", choices=BOOTS, default="kernel", help="how it boots (kernel)")
    parser.add_argument("--cpu", metavar="MODEL", help="as QEMU names it, with +feature,-feature")
    parser.add_argument("--cpus", type=int, default=1, metavar="N", help="how many (1)")
    parser.add_argument("--serial", choices=SERIAL, default="com1",
                        help="the port that the record comes from (com1)")
    parser.add_argument("--memory", type=int, default=512, metavar="MIB", help="(512)")
    parser.add_argument("--timeout", type=float, default=900, metavar="S",
                        help="seconds until it is stopped, with exit status 124 (900)")
    parser.add_argument("--deterministic", action="store_true",
                        help="the clock counts instructions: the same record every time")
    parser.add_argument("--image", metavar="FILE", help="boot this kernel or image instead")
    parser.add_argument("--qemu", default="qemu-system-x86_64", metavar="COMMAND",
                        help="the emulator, with further options if need be")
    parser.add_argument("-o", "--output", metavar="FILE", help="keep the record in this file too")
    parser.add_argument("--log", metavar="FILE", help="keep all that the serial port said")
    parser.add_argument("--force", action="store_true", help="FILE may be there already")
    parser.add_argument("args", nargs="*", metavar="key=value", help="arguments of the image")


def image_file(args):
    if args.image:
        path = args.image
    elif args.boot.endswith("pxe"):
        path = os.path.join(args.build, "netboot")
    elif args.boot == "kernel":
        path = os.path.join(args.build, args.width or "x86_64", "metalcopy.elf")
    else:
        path = os.path.join(args.build, "metalcopy.iso")
    if not os.path.exists(path):
        make = "make netboot" if path.endswith("netboot") else "make"
        raise Refused(f"{path} is not there: make it with `{make}`, or name another by --image")
    return path


def qemu_value(text):
    """Text inside a QEMU option's value."""
    return text.replace(",", ",,")


def command(args):
    image = image_file(args)
    qemu = shlex.split(args.qemu)
    if not qemu or not shutil.which(qemu[0]):
        raise Refused(f"{args.qemu} is not there: make deps")
    line = [qemu[0], "-no-user-config", "-nodefaults", "-vga", "std", *qemu[1:], "-accel", "tcg",
            "-display", "none", "-monitor", "none", *SERIAL[args.serial], "-no-reboot",
            "-m", str(args.memory), "-smp", str(args.cpus),
            "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
    if args.cpu:
        line += ["-cpu", args.cpu]
    if args.deterministic:
        line += DETERMINISTIC
    words = " ".join(args.args)
    if args.boot == "kernel":
        return [*line, "-kernel", image, "-append", words]
    if args.boot == "ipxe" and (words or args.width):
        raise Refused("iPXE takes the arguments that the build put into metalcopy.ipxe: "
                      "make netboot IMAGE_ARGS=\"...\"")
    line += ["-smbios", "type=11,value=" + qemu_value(f"metalcopy:{args.width or ''}:{words}")]
    line += [re.sub(r"\{image\}|\{netboot\}", lambda _: qemu_value(image), part)
             for part in BOOTS[args.boot]]
    for part in line:
        firmware = re.search(r"file=(" + OVMF + r"[^,]*)", part)
        if firmware and not os.path.exists(firmware[1]):
            raise Refused(f"{firmware[1]} is not there: make deps")
    return line


class Run:
    """One QEMU, its serial port read line by line."""

    def __init__(self, argv, deadline, log):
        self.deadline, self.log = deadline, log
        self.scanner = records.Scanner()
        self.record = None  # the first that ended
        self.refused = False  # the kernel said that this CPU cannot run it, and stopped
        self.before = deque(maxlen=20)  # what came last before START, for a boot that failed
        self.splitter = records.Splitter()
        self.size = 0
        self.process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def go(self, out):
        """Until the record ends, QEMU does, or the time is up. Returns whether time was left."""
        try:
            return self._read(out)
        finally:
            self._stop()
            self.record = self.record or self.scanner.close()

    def _read(self, out):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while self.record is None and not self.refused:
                left = self.deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return False
                data = os.read(self.process.stdout.fileno(), records.READ_BYTES)
                self.size += len(data)
                if not data or self.size > LOG_MAX:
                    break
                self._take(data, out)
        return True

    def _take(self, data, out):
        if self.log:
            self.log.write(data)
        for line in self.splitter.split(data):
            was_inside = self.scanner.current is not None
            self.record = self.scanner.feed(line)
            inside = self.scanner.current is not None
            if was_inside or inside:
                text = line.rstrip(b"\r")
                out.write((text if was_inside else text[text.index(b"METALCOPY START"):]) + b"\n")
            else:
                self.before.append(line)
                self.refused = self.refused or line.startswith(REFUSAL)
            if self.record:
                break
        out.flush()

    def _stop(self):
        try:
            self.process.wait(GRACE_S if self.record else 0)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.errors = self.process.communicate()[1].decode(errors="replace").strip()


def plain(line):
    """A line of a boot loader without its cursor movements."""
    line = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b.", b"", line)
    return records.text_of(line.strip())


def explain(run, in_time, args):
    """Why there is no good record, to standard error."""
    def say(text):
        print(f"metalcopy run: {text}", file=sys.stderr)

    if run.record is None:
        for line in filter(None, map(plain, [*run.before, run.splitter.rest])):
            print(f"  {line[:160]}", file=sys.stderr)
        say("no record: START never came" + (f" in {args.timeout:g} s" if not in_time else ""))
    else:
        report("record", 1, run.record, sys.stderr)
    if run.refused:
        say("the kernel cannot run on this CPU; another by --cpu, the other kernel by --width")
    elif not in_time:
        say(f"the time of {args.timeout:g} s is up (--timeout)")
    elif run.record is None or run.record.end_line is None:
        say(f"QEMU ended by itself, exit status {run.process.returncode}; "
            "a reset (triple fault) ends it too")
    if run.errors:
        say(f"QEMU said: {run.errors}")


def main(args):
    argv = command(args)
    refuse_existing((args.output, args.log), args.force)
    log = open(args.log, "wb") if args.log else None
    run = Run(argv, time.monotonic() + args.timeout, log)
    in_time = run.go(sys.stdout.buffer)
    if log:
        log.close()
    if args.output and run.record:
        write_atomically(args.output, run.record.data())
    if run.record and run.record.passed:
        return 0
    explain(run, in_time, args)
    return 1 if in_time else 124
