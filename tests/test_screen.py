# SPDX-License-Identifier: BSD-2-Clause
"""What stands on the screen: screenshots from QEMU, read back glyph by glyph."""

import contextlib
import json
import os
import socket
import subprocess

from harness import BUILD, PATIENCE, scratch, until
from host.run import FIRMWARE, MEDIA

IMAGE = os.path.join(BUILD, "metalcopy.iso")
FONT = os.path.join(BUILD, "i386", "font.bin")
GLYPH_WIDTH, GLYPH_HEIGHT = 8, 16
BOOT_S = 150


class Machine:
    """A QEMU with a monitor; its serial port goes to a file."""

    def __init__(self, folder, *options, args=(), firmware="bios", width="", maker=""):
        """With a maker, which is no emulator's, the menu waits for its arguments."""
        self.serial = os.path.join(folder, "serial")
        monitor = os.path.join(folder, "monitor")
        medium = [part.replace("{image}", IMAGE) for part in FIRMWARE[firmware] + MEDIA["cd"]]
        self.process = subprocess.Popen([
            "qemu-system-x86_64", "-accel", "tcg", "-nodefaults", "-display", "none", "-m", "256",
            "-serial", f"file:{self.serial}", "-qmp", f"unix:{monitor},server=on,wait=off",
            "-smbios", f"type=1,manufacturer={maker}" if maker else
            f"type=11,value=metalcopy:{width}:{' '.join(args)}", *medium, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(BOOT_S * PATIENCE)
        try:
            self.connect(monitor)
        except BaseException:
            self.end()
            raise

    def connect(self, monitor):
        """QEMU makes the socket a while after its start, and listens a while after that."""
        def connected():
            assert self.process.poll() is None, "QEMU has ended"
            return self.socket.connect_ex(monitor) == 0
        until(connected, lambda: "QEMU's monitor is not there")
        self.lines = self.socket.makefile("rw", encoding="utf-8")
        self.lines.readline()
        self.command("qmp_capabilities")

    def command(self, name, **arguments):
        self.lines.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        self.lines.flush()
        answer = {}
        while "return" not in answer:
            answer = json.loads(self.lines.readline())
            assert "error" not in answer, answer

    def raw(self):
        """What the serial port has said."""
        try:
            with open(self.serial, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def said(self):
        """The same as text, in lines that have come whole."""
        whole, end, _ = self.raw().rpartition(b"\n")
        return (whole + end).decode("ascii", "replace")

    def await_text(self, text, count=1):
        """All that the serial port has said, when it has said this so often."""
        until(lambda: self.said().count(text) >= count,
              lambda: f"no {text!r} in {self.said()[-2000:]}", BOOT_S)
        return self.said()

    def await_screen(self, shot, good, scale=1):
        """Takes screenshots until their rows of text are good()."""
        rows = []

        def shown():
            self.command("screendump", filename=shot)
            rows[:] = read_text(shot, scale)
            return good(rows)
        until(shown, lambda: "the screen still shows\n" + "\n".join(rows))

    def press(self, key):
        self.command("send-key", keys=[{"type": "qcode", "data": key}])

    def end(self):
        self.process.kill()
        self.process.wait()
        self.socket.close()


@contextlib.contextmanager
def machine(*arguments, **options):
    one = Machine(*arguments, **options)
    try:
        yield one
    finally:
        one.end()


def read_ppm(path):
    """Width, height, and the red bytes of a screenshot."""
    with open(path, "rb") as file:
        magic, size, depth, data = file.read().split(b"\n", 3)
    assert magic == b"P6" and depth == b"255"
    width, height = map(int, size.split())
    return width, height, data[::3]


def read_text(path, scale):
    """The rows of text in a screenshot; what is no glyph reads as None."""
    with open(FONT, "rb") as file:
        font = file.read()
    glyphs = {font[at:at + GLYPH_HEIGHT]: chr(32 + at // GLYPH_HEIGHT)
              for at in range(0, len(font), GLYPH_HEIGHT)}
    width, height, red = read_ppm(path)

    def cell(row, column):
        bits = bytearray()
        for y in range(GLYPH_HEIGHT):
            start = (row * GLYPH_HEIGHT + y) * scale * width + column * GLYPH_WIDTH * scale
            pixels = red[start:start + GLYPH_WIDTH * scale:scale]
            bits.append(sum(128 >> x for x, value in enumerate(pixels) if value > 128))
        bits = bytes(bits)
        return glyphs.get(bits) or glyphs.get(bytes(255 - byte for byte in bits))

    return ["".join(cell(row, column) or "\0" for column in range(width // GLYPH_WIDTH // scale))
            for row in range(height // GLYPH_HEIGHT // scale)]


def check_screen(name, *options, size, scale=1, **machine_options):
    shot = os.path.join(scratch(f"screen-{name}"), "shot.ppm")
    with machine(os.path.dirname(shot), *options, **machine_options) as one:
        last = one.await_text("METALCOPY END").splitlines()[-5:]

        def whole(rows):
            shown = "".join(rows)
            passed = rows[-1].startswith("PASSED | ok 1 bad 0")
            return passed and all(line in shown for line in last)
        one.await_screen(shot, whole, scale)
    width, height, _ = read_ppm(shot)
    assert (width, height) == size, (width, height)
    assert len(read_text(shot, scale)[-1]) == width // GLYPH_WIDTH // scale


LIST = ("list=options", "end=halt")


def test_UEFI():
    """The mode that the firmware is in; a frame buffer is there in the fail-safe entry too."""
    check_screen("uefi", "-vga", "std", firmware="uefi", args=LIST, size=(1280, 800))
    check_screen("uefi-keep", "-vga", "std", firmware="uefi", args=[*LIST, "screen=keep"],
                 size=(1280, 800))


def test_UEFI_1920x1080():
    check_screen("1080", "-device", "VGA,xres=1920,yres=1080,vgamem_mb=32", firmware="uefi",
                 args=[*LIST, "screen=1920x1080"], size=(1920, 1080))


def test_VBE_of_16_bits():
    check_screen("vbe16", "-vga", "std", args=[*LIST, "screen=1024x768x16"], size=(1024, 768))


def test_VBE_of_24_bits():
    check_screen("vbe24", "-vga", "std", width="i386", args=[*LIST, "screen=1280x1024x24"],
                 size=(1280, 1024))


def test_VBE_4K():
    check_screen("vbe4k", "-device", "VGA,xres=3840,yres=2160,vgamem_mb=64", width="i386",
                 args=[*LIST, "screen=3840x2160"], size=(3840, 2160), scale=2)


def test_the_last_record_after_a_warm_reboot():
    """The first boot finds none and runs; the one after its reboot shows the run's record."""
    for width, firmware in (("i386", "bios"), ("x86_64", "bios"), ("x86_64", "uefi")):
        folder = scratch(f"screen-last-{width}-{firmware}")
        with machine(folder, "-vga", "std", width=width, firmware=firmware,
                     args=["last=show", "list=options", "end=reboot"]) as one:
            said = one.await_text("METALCOPY END", count=2)
        assert said.count("# last=show: memory holds no record") == 1, said
        first, second = (part.partition("METALCOPY END")
                         for part in said.split("METALCOPY START v1")[1:3])
        assert first[0] == second[0] and first[2].split("\r\n")[0] == second[2].split("\r\n")[0]


def last_entry_by_hand(firmware):
    """Whether the menu's last entry was started: its time may be up before a key comes."""
    with machine(scratch(f"screen-menu-{firmware}"), "-vga", "std", maker="A laboratory",
                 firmware=firmware) as one:
        until(lambda: b"fail-safe" in one.raw(), lambda: "no menu", BOOT_S)
        one.press("end")
        one.press("ret")
        return "META args: cpus=1 acpi=off msr=off screen=keep" in one.await_text("META seed")


def test_the_menu():
    """On a machine of which nobody knows that it is emulated, at once on the screen and the
    serial port; the first entry starts by itself, and a key stops that."""
    with machine(scratch("screen-menu"), "-vga", "std", maker="A laboratory") as one:
        assert "META args: none" in one.await_text("META seed")
    for firmware in ("bios", "uefi"):
        assert any(last_entry_by_hand(firmware) for _ in range(5)), firmware
