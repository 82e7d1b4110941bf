# SPDX-License-Identifier: BSD-2-Clause
"""What is inside the bootable image: every loader that a firmware may look for."""

import os

from harness import BUILD, command, scratch

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


def test_holds_the_kernels_that_were_built():
    folder = scratch("image-kernels")
    for width in ("i386", "x86_64"):
        copy = os.path.join(folder, width)
        xorriso("-osirrox", "on", "-extract", f"/boot/metalcopy/{width}.elf", copy)
        with open(copy, "rb") as inside, \
                open(os.path.join(BUILD, width, "metalcopy.elf"), "rb") as built:
            assert inside.read() == built.read(), f"{width} in the image is another one"


def test_is_small():
    assert os.path.getsize(IMAGE) < 16 << 20, os.path.getsize(IMAGE)
