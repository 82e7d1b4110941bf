# SPDX-License-Identifier: BSD-2-Clause
"""Writing files so that nothing is lost: whole or not at all, and never over another."""

import contextlib
import os

from host.cli import Refused


def refuse_existing(paths, force):
    """Before the work is done; paths may hold None."""
    for path in filter(None, paths):
        if os.path.exists(path) and not force:
            raise Refused(f"{path} is there already; --force overwrites it")
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):
            raise Refused(f"{folder}: there is no such folder")


def write_atomically(path, data):
    part = path + ".part"
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise OSError(error.errno, error.strerror, path) from error
