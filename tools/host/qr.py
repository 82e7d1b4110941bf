# SPDX-License-Identifier: BSD-2-Clause
"""Puts a compact record back together from pictures of the QR codes that a machine
without a serial port shows after its run.

  metalcopy qr photo1.jpg photo2.jpg          to standard output
  metalcopy qr -o record.txt photo*.jpg
  metalcopy check record.txt

A picture may hold several codes, and each code may be on several pictures. A text file
with what a telephone read, a code a line, will do too.

exit status: 0 for a whole record, 1 when a code is missing or the record is damaged,
2 when a file cannot be read or zbarimg is missing"""

import base64
import binascii
import io
import re
import shutil
import subprocess
import sys
import zlib

from host import record as records
from host.check import report
from host.cli import Refused
from host.files import refuse_existing, write_atomically

HELP = "put a record together from pictures of its QR codes"

CODE = re.compile(rb"METALCOPY:C1:(\d{1,3})/(\d{1,3}):([0-9A-F]{8}):([A-Z2-7]+)")

# No record is larger: what inflates to more is damage.
RECORD_MAX = 1 << 20


def arguments(parser):
    parser.add_argument("files", nargs="+", metavar="IMAGE", help="a picture, or text")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the record to this file")
    parser.add_argument("--force", action="store_true", help="FILE may be there already")


def text_in(path):
    """What the codes in a picture say, or the file itself where it is their text."""
    with open(path, "rb") as file:
        start = file.read(1 << 16)
    if CODE.search(start):
        return start
    if not shutil.which("zbarimg"):
        raise Refused("zbarimg is not there: make deps (Debian: zbar-tools)")
    done = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path],
                          capture_output=True, check=False)
    if done.returncode not in (0, 4):  # 4: there is none in it
        raise Refused(f"{path}: {done.stderr.decode(errors='replace').strip()[-400:]}")
    return done.stdout


def collect(files):
    """The parts of each record: {(checksum, how many): {number: bytes}}."""
    found = {}
    for path in files:
        codes = CODE.findall(text_in(path))
        if not codes:
            print(f"metalcopy qr: {path}: no code of a record in it", file=sys.stderr)
        for number, total, checksum, text in codes:
            try:
                part = base64.b32decode(text + b"=" * (-len(text) % 8))
            except binascii.Error:
                print(f"metalcopy qr: {path}: code {int(number)} is damaged", file=sys.stderr)
                continue
            found.setdefault((checksum, int(total)), {})[int(number)] = part
    return found


def unpack(checksum, total, parts):
    """The text of the record; raises ValueError, which says why it cannot be had."""
    missing = [number for number in range(1, total + 1) if number not in parts]
    if missing:
        raise ValueError(f"codes missing: {', '.join(map(str, missing))} of {total}")
    packed = b"".join(parts[number] for number in range(1, total + 1))
    if zlib.crc32(packed) != int(checksum, 16):
        raise ValueError("the codes do not belong together, or one was read wrongly")
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = inflate.decompress(packed, RECORD_MAX)
    except zlib.error as error:
        raise ValueError(f"damaged: {error}") from error
    if not inflate.eof:
        raise ValueError("damaged: its end is missing")
    return text


def main(args):
    refuse_existing((args.output,), args.force)
    good, texts = True, []
    found = collect(args.files)
    for (checksum, total), parts in found.items():
        name = f"record {checksum.decode()}"
        try:
            text = unpack(checksum, total, parts)
        except ValueError as error:
            print(f"metalcopy qr: {name}: {error}", file=sys.stderr)
            good = False
            continue
        texts.append(text)
        for number, record in enumerate(records.read_records(io.BytesIO(text)), 1):
            good = good and record.whole
            if not record.whole:
                report(name, number, record, sys.stderr)
    data = b"".join(texts)
    if args.output and data:
        write_atomically(args.output, data)
    elif data:
        sys.stdout.buffer.write(data)
    return 0 if good and data else 1
