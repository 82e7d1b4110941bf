# SPDX-License-Identifier: BSD-2-Clause
"""Records that leave a machine by its screen alone."""

import base64
import os
import re
import zlib

from harness import metalcopy, scratch
from test_screen import machine


def compact():
    """A compact record, as docs/RECORD.md has it."""
    from host.record import META_KEYS  # pylint: disable=import-outside-toplevel
    lines = ["goarch: amd64", *(f"META {key}: n/a" for key in META_KEYS),
             *(f"LAVA size.{n}.rep_movsb pass ticks {n * 3}.5" for n in range(120)),
             "FULL lines=5649 crc32=6db5d36a ok=10 failed=0 todo=0 skipped=0 left_out=0"]
    body = "".join(line + "\n" for line in lines).encode()
    end = f"METALCOPY END v1 lines={len(lines)} crc32={zlib.crc32(body):08x} status=pass\n"
    return b"METALCOPY COMPACT v1\n" + body + end.encode()


def codes(data, size=400):
    """What the QR codes say, one a line."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(data) + deflate.flush()
    parts = [packed[at:at + size] for at in range(0, len(packed), size)]
    return [f"METALCOPY:C1:{number}/{len(parts)}:{zlib.crc32(packed):08X}:"
            + base64.b32encode(part).decode().rstrip("=") + "\n"
            for number, part in enumerate(parts, 1)]


def written(name, lines):
    path = os.path.join(scratch(f"qr-{name}"), "codes")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(lines)
    return path


def test_codes_in_any_order_and_more_than_once():
    lines = codes(compact())
    assert len(lines) > 1
    path = written("order", [*reversed(lines), lines[0]])
    assert metalcopy("qr", path).expect(0).out == compact()
    metalcopy("check", "-", stdin=compact()).expect(0, "whole, status=pass: compact, ")


def test_two_records_are_not_mixed():
    lines = codes(compact()) + codes(compact().replace(b"status=pass", b"status=fail"))
    result = metalcopy("qr", written("two", lines)).expect(0)
    assert result.out.count(b"METALCOPY COMPACT") == 2


def test_a_code_is_missing():
    path = written("missing", codes(compact())[:-1])
    result = metalcopy("qr", path).expect(1, "codes missing: ")
    assert not result.out


def test_a_code_was_read_wrongly():
    lines = codes(compact())
    lines[0] = lines[0].replace(lines[0][40:44], "AAAA")
    metalcopy("qr", written("wrong", lines)).expect(1, "do not belong together")


def test_a_compact_record_that_is_damaged():
    data = compact().replace(b"size.7.", b"size.8.")
    metalcopy("check", "-", stdin=data).expect(1, "damaged between START")
    metalcopy("qr", written("damaged", codes(data))).expect(1, "damaged between START")
    data = compact().replace(b"META cpu: n/a\n", b"")
    metalcopy("check", "-", stdin=data).expect(1, "missing keys: cpu")


def test_no_code():
    metalcopy("qr", written("none", ["hello\n"]), stdin=b"").expect(2)
    metalcopy("qr", "/nonexistent.png").expect(2, "/nonexistent.png")


def from_screen(name, *options, args=(), **machine_options):
    """What the third page says, the first with codes, of a machine that has ended."""
    folder = scratch(f"qr-{name}")
    shot, kept = os.path.join(folder, "shot.ppm"), os.path.join(folder, "record")
    with machine(folder, *options, args=["end=halt", *args], **machine_options) as one:
        full = one.await_text("METALCOPY END")
        one.press("home")  # from here on they do not turn by themselves
        last = full[full.index("METALCOPY END"):].split("\r\n")[0]
        one.press("backspace")  # the last page, of the whole record
        one.await_screen(shot, lambda rows: last in "".join(rows)
                         and re.match(r"page (\d+) of \1;", rows[-1]))
        one.press("home")
        for page in (2, 3):
            one.press("spc")
            one.await_screen(shot, lambda rows, page=page: rows[-1].startswith(f"page {page} of"))
    metalcopy("qr", "-o", kept, shot).expect(0)
    metalcopy("check", kept).expect(0, "status=pass: compact")
    with open(kept, encoding="ascii") as file:
        record = file.read()
    _, end = last.split(" lines=")
    assert f"FULL lines={end.split()[0]} {end.split()[1]} " in record, (end, record)
    return record


def test_codes_on_VGA():
    from_screen("vga", "-vga", "std", args=["list=options"])


def test_several_codes_on_a_frame_buffer():
    record = from_screen("fb", "-vga", "std", width="i386",
                         args=["copy=rep_movs?", "rounds=1", "screen=1024x768x16"])
    assert record.count("LAVA ") > 20, record


def test_codes_under_UEFI():
    from_screen("uefi", "-vga", "std", firmware="uefi", args=["list=options"])
