# SPDX-License-Identifier: BSD-2-Clause
"""The kernel images as loaders read them, and what they say where they cannot run."""

import os
import struct

from harness import BUILD, emulate

KERNELS = {width: os.path.join(BUILD, width, "metalcopy.elf") for width in ("i386", "x86_64")}
EXECUTE, WRITE = 1, 2


def segments(image):
    """(file offset, physical address, file size, flags) of each PT_LOAD."""
    wide = image[4] == 2
    start, = struct.unpack_from("<Q" if wide else "<I", image, 32 if wide else 28)
    size, count = struct.unpack_from("<HH", image, 54 if wide else 42)
    for at in range(start, start + size * count, size):
        if wide:
            kind, flags, offset, _, physical, length = struct.unpack_from("<IIQQQQ", image, at)
        else:
            kind, offset, _, physical, length, _, flags = struct.unpack_from("<IIIIIII", image, at)
        if kind == 1:
            yield offset, physical, length, flags


def images():
    for width, path in KERNELS.items():
        with open(path, "rb") as file:
            yield width, file.read()


def test_a_loader_may_read_the_file_as_it_lies():
    for width, image in images():
        found = list(segments(image))
        assert len({physical - offset for offset, physical, _, _ in found}) == 1, (width, found)


def test_nothing_is_both_written_and_executed():
    for width, image in images():
        for segment in segments(image):
            assert segment[3] & (EXECUTE | WRITE) != EXECUTE | WRITE, (width, segment)
            assert segment[0] % 4096 == 0, (width, segment)


def multiboot_addresses(image):
    """Of both headers: file offset, and header_addr, load_addr, load_end_addr, bss_end_addr."""
    one = image.index(struct.pack("<I", 0x1badb002))
    flags, checksum = struct.unpack_from("<II", image, one + 4)
    assert one % 4 == 0 and one + 48 <= 8192 and flags & 1 << 16
    assert (0x1badb002 + flags + checksum) % (1 << 32) == 0
    yield one, struct.unpack_from("<4I", image, one + 12)

    two = image.index(struct.pack("<I", 0xe85250d6))
    length, checksum = struct.unpack_from("<II", image, two + 8)
    assert two % 8 == 0 and two + length <= 32768
    assert (0xe85250d6 + length + checksum) % (1 << 32) == 0
    at = two + 16
    while (kind := struct.unpack_from("<H", image, at)[0]) != 2:
        assert kind != 0, "multiboot 2 without the address tag"
        at += struct.unpack_from("<I", image, at + 4)[0] + 7 & ~7
    yield two, struct.unpack_from("<4I", image, at + 8)


def test_both_multiboot_headers():
    for width, image in images():
        offset, physical, _, _ = next(segments(image))
        last = list(segments(image))[-1]
        for header, (address, load, load_end, bss_end) in multiboot_addresses(image):
            assert load == physical and address - load == header - offset, width
            assert load_end == last[1] + last[2] and bss_end >= load_end, width


def refused(width, cpu, words):
    emulate("--width", width, "--cpu", cpu, timeout=60).expect(
        1, f"metalcopy: this CPU {words}", "the kernel cannot run on this CPU")


def test_a_CPU_that_is_too_old_is_told_so():
    refused("x86_64", "pentium3", "has no 64-bit mode; boot the i386 kernel")
    for cpu, lacks in (("pentium2,-pse", "PSE"), ("486", "TSC"), ("pentium", "CMOV")):
        refused("i386", cpu, f"lacks {lacks}")
