# SPDX-License-Identifier: BSD-2-Clause
"""Figures as people read them."""

from itertools import zip_longest

SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "u"),
          (1e-9, "n"), (1e-12, "p"))

# The record's units in their base, as benchstat shows them.
BASE = {"ns/op": (1e-9, "sec/op"), "MB/s": (1e6, "B/s")}


def scaled(value, digits=4):
    """ "1.234k": four significant digits and the prefix of a thousand."""
    if value == 0:
        return "0"
    for scale, prefix in SCALES:
        if abs(value) >= scale * 0.9995:
            break
    figure = value / scale
    whole = len(str(int(abs(figure))))
    return f"{figure:.{max(0, digits - whole)}f}{prefix}"


def bytes_text(value):
    """ "64", "8K"."""
    for size, unit in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if value >= size and value % size == 0:
            return f"{int(value) // size}{unit}"
    return f"{value:g}"


def to_base(value, unit):
    return value * BASE.get(unit, (1, unit))[0]


def in_base(value, unit):
    return scaled(to_base(value, unit))


def base_name(unit):
    return BASE.get(unit, (1, unit))[1]


def table(rows, left=1):
    """Text rows as aligned lines; the first `left` columns are flush left."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    for row in rows:
        cells = [cell.ljust(width) if column < left else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        yield "  ".join(cells).rstrip()
