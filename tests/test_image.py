# SPDX-License-Identifier: BSD-2-Clause
"""What is inside the bootable image: every loader that a firmware may look for."""

import os
import struct

from harness import BUILD, ROOT, Skip, command, scratch

IMAGE = os.path.join(BUILD, "metalcopy.iso")


def xorriso(*words):
    return command("xorriso", "-indev", IMAGE, *words).expect(0).out.decode()


def test_boots_from_CD_by_BIOS_and_UEFI():
    catalog = xorriso("-report_el_torito", "plain")
    images = [line.split() for line in catalog.splitlines()
              if line.startswith("El Torito boot img :")]
    assert {fields[6] for fields in images} == {"BIOS", "UEFI"}, catalog
    assert all(fields[7] == "y" for fields in images), catalog


def test_boots_from_a_stick_by_BIOS_and_UEFI():
    with open(IMAGE, "rb") as file:
        sector = file.read(512)
    assert sector[510:] == b"\x55\xaa" and any(sector[:440]), "no boot code in the MBR"
    assert 0x80 in sector[446:510:16], "no active partition, which some BIOSes demand"
    area = xorriso("-report_system_area", "plain")
    assert "grub2-mbr" in area, area
    # The type of an EFI system partition, C12A7328-F81F-11D2-BA4B-00A0C93EC93B as on the disk.
    assert "GPT type GUID      :   2  28732ac11ff8d211ba4b00a0c93ec93b" in area, area


def test_both_EFI_loaders():
    loader = os.path.join(scratch("image"), "efi.img")
    xorriso("-osirrox", "on", "-extract", "/efi.img", loader)
    for name, machine in (("BOOTX64.EFI", 0x8664), ("BOOTIA32.EFI", 0x014c)):
        program = command("mtype", "-i", loader, f"::/EFI/BOOT/{name}").expect(0).out
        header = int.from_bytes(program[0x3c:0x40], "little")
        assert program[header:header + 4] == b"PE\0\0", f"{name} is no EFI program"
        found = int.from_bytes(program[header + 4:header + 6], "little")
        assert found == machine, f"{name} is for machine {found:#x}"


def loaded(path):
    """What a loader takes of an ELF file: addresses and bytes."""
    with open(path, "rb") as file:
        elf = file.read()
    wide = elf[4] == 2
    start, = struct.unpack_from("<Q" if wide else "<I", elf, 32 if wide else 28)
    size, count = struct.unpack_from("<HH", elf, 54 if wide else 42)
    for at in range(start, start + size * count, size):
        fields = struct.unpack_from("<IIQQQQQ" if wide else "<IIIIII", elf, at)
        if wide:
            kind, _, offset, _, address, in_file, in_memory = fields
        else:
            kind, offset, _, address, in_file, in_memory = fields
        if kind == 1:
            yield offset, address, in_memory, elf[offset:offset + in_file]


def test_holds_the_kernels_that_were_built():
    folder = scratch("image-kernels")
    for width in ("i386", "x86_64"):
        copy = os.path.join(folder, width)
        xorriso("-osirrox", "on", "-extract", f"/boot/metalcopy/{width}.elf", copy)
        built = os.path.join(BUILD, width, "metalcopy.elf")
        assert list(loaded(copy)) == list(loaded(built)), f"{width} in the image is another one"


def test_is_small():
    assert os.path.getsize(IMAGE) <= 6 << 20, os.path.getsize(IMAGE)


def test_the_same_sources_give_the_same_image():
    """From the kernels that are there, which `make -o` takes as they are."""
    folder = scratch("image-again")
    kernels = []
    for width in ("i386", "x86_64"):
        kernels.append(os.path.join(folder, width, "metalcopy.elf"))
        os.mkdir(os.path.dirname(kernels[-1]))
        with open(kernels[-1], "wb") as file, \
                open(os.path.join(BUILD, width, "metalcopy.elf"), "rb") as built:
            file.write(built.read())
    again = os.path.join(folder, "metalcopy.iso")
    command("make", f"O={folder}", *(f"-o{kernel}" for kernel in kernels), again,
            env={**os.environ, "MAKEFLAGS": "", "MFLAGS": ""}).expect(0)
    with open(again, "rb") as file, open(IMAGE, "rb") as image:
        assert file.read() == image.read(), f"{again} is another one"


def test_writes_over_no_disk_that_is_not_a_stick():
    def stick(device, status, *phrases):
        command(os.path.join(ROOT, "iso", "write-stick"), IMAGE, device,
                stdin=b"no\n").expect(status, *phrases)
    stick("", 2, "make usb DEV=/dev/sdX")
    stick("/dev/null", 2, "/dev/null is not a disk")
    stick(IMAGE, 2, "is not a disk")
    disks = [line.split() for line in command("lsblk", "-dnpo", "NAME,TYPE,RM").out.decode()
             .splitlines()]
    fixed = [disk[0] for disk in disks if disk[1:] == ["disk", "0"] and os.path.exists(disk[0])]
    if not fixed:
        raise Skip("this machine has no fixed disk")
    stick(fixed[0], 2, f"{fixed[0]} is not removable")


# What stands for lsblk says of the disk what the environment does.
LSBLK = """#!/bin/sh
case "$*" in
*TYPE*) echo "$DISK_TYPE" ;;
*RM,TRAN*) echo "$DISK_KIND" ;;
*MOUNTPOINTS*) echo "$DISK_USE" ;;
*) echo STICK ;;
esac
"""


def test_writes_a_stick():
    """A loop device, of which lsblk says that it is a stick."""
    folder = scratch("image-stick")
    disk, lsblk = os.path.join(folder, "disk"), os.path.join(folder, "lsblk")
    with open(disk, "wb") as file:
        file.truncate(8 << 20)
    with open(lsblk, "w", encoding="ascii") as file:
        file.write(LSBLK)
    os.chmod(lsblk, 0o755)
    attached = command("losetup", "--find", "--show", disk)
    if attached.status:
        raise Skip("no loop device")
    device = attached.out.decode().strip()

    def stick(answer, status, *phrases, kind="1 usb", disk_type="disk", use="sdx"):
        environment = {**os.environ, "PATH": folder + ":" + os.environ["PATH"],
                       "DISK_TYPE": disk_type, "DISK_KIND": kind, "DISK_USE": use}
        command(os.path.join(ROOT, "iso", "write-stick"), IMAGE, device, stdin=answer,
                env=environment).expect(status, *phrases)
        with open(disk, "rb") as file:
            return file.read(os.path.getsize(IMAGE))
    try:
        stick(b"yes\n", 2, "is not a whole disk (part)", disk_type="part")
        stick(b"yes\n", 2, "is not removable", kind="0 sata")
        stick(b"yes\n", 2, "is in use; unmount it first:", "sdx1 /media/stick",
              use="sdx\nsdx1 /media/stick")
        stick(b"no\n", 2, "STICK", "Nothing was written.")
        assert not any(stick(b"", 2, "Nothing was written."))
        with open(IMAGE, "rb") as file:
            assert stick(b"yes\n", 0, "boots metalcopy now", kind="0 usb") == file.read()
    finally:
        command("losetup", "--detach", device)
