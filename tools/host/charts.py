# SPDX-License-Identifier: BSD-2-Clause
"""The pictures of a report, by matplotlib: as SVG that takes its colours from the page, or PNG.

Palettes are safe for the colour-blind, and colour never stands alone: lines differ by
marker and dash, the cells of a map bear their figures."""

import io
import os
import re

os.environ.setdefault("MPLCONFIGDIR", os.path.join("/tmp", f"metalcopy-{os.getuid()}"))

# pylint: disable=wrong-import-position
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm, TwoSlopeNorm
from matplotlib.ticker import LogLocator

from host import measured, stats
from host.units import bytes_text, scaled
from host.verdict import BASE

LINES_MAX = 8  # that are told apart; the others are grey
MAPS_MAX = 9
BARS_MAX = 16
HIGHER_IS_BETTER = "B/s"  # of the units that come here
AXES = {"n": "bytes copied", "dst": "destination, bytes after a page boundary",
        "src": "source, bytes after a page boundary"}

# Okabe and Ito's palette, in an order in which neighbours differ in brightness too. In SVG
# each becomes a variable of the page, so that dark mode can lighten it.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a4fa3", "#5f6b6d")
MARKERS = "os^DvPX*"
DASHES = ("-", "--", "-.", (0, (1, 1)), "-", "--", "-.", (0, (1, 1)))
INK, FAINT = "#102030", "#a0a8b0"

plt.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10,
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none",
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK,
    "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "axes.axisbelow": True, "grid.color": FAINT, "grid.linewidth": 0.4,
    "legend.frameon": False,
})


class Picture:
    """A figure with its title, and the words for those who do not see it."""

    def __init__(self, figure, title, words):
        self.figure, self.title, self.words = figure, title, words

    def svg(self, number):
        """For the middle of a page: identifiers of its own, colours by name."""
        plt.rcParams["svg.hashsalt"] = f"metalcopy{number}"
        out = io.StringIO()
        self.figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None})
        text = out.getvalue()
        text = text[text.index("<svg"):]
        text = re.sub(r'\bid="', f'id="p{number}-', text)
        text = re.sub(r'(href="|url\()#', rf"\1#p{number}-", text)
        text = re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", text, count=1)
        text = re.sub(r'(<svg [^>]*?) width="[^"]*"', r'\1 role="img"', text, count=1)
        text = text.replace(INK, "currentColor").replace(FAINT, "var(--faint)")
        for index, colour in enumerate(PALETTE):
            text = text.replace(colour, f"var(--line{index})")
        return text

    def png(self, path):
        self.figure.savefig(path, format="png", dpi=150, bbox_inches="tight", facecolor="white")

    def close(self):
        plt.close(self.figure)


def quantity(unit):
    """What is measured in it."""
    return {"B/s": "bandwidth, B/s", "sec/op": "time a copy, s",
            "ticks/op": "TSC ticks a copy"}.get(unit, unit)


def cache_sizes(run):
    """(name, bytes) of the caches that the record knows."""
    for level in ("l1d", "l2", "l3"):
        size = run.meta.get(level, "n/a").split("/")[0]
        if size.isdigit() and int(size) > 0:
            yield level.upper(), int(size)


def ranked(series, unit):
    """Routines by the geometric mean of their figures, the best first; last those that were
    measured at less than half of the settings."""
    most = max(map(len, series.values()))
    sign = -1 if unit == HIGHER_IS_BETTER else 1
    return sorted(series, key=lambda copy: (
        2 * len(series[copy]) < most, sign * stats.geometric_mean(list(series[copy].values()))))


# ------------------------------------------------------------ curves

def curves(run, title, series, key, unit, keep=(BASE,)):
    """series: routine -> {value of key: figure}. Bytes on a log axis with the caches marked;
    few settings as they come."""
    figure, axes = plt.subplots(figsize=(7.6, 4.2))
    order = ranked(series, unit)
    kept = [copy for copy in keep if copy in order[LINES_MAX:]]
    shown = order[:LINES_MAX - len(kept)] + kept
    settings = sorted({value for values in series.values() for value in values},
                      key=measured.number)
    place = {value: float(value) if key == "n" else index for index, value in enumerate(settings)}
    for copy in order:
        points = sorted((place[value], figure_) for value, figure_ in series[copy].items())
        if copy in shown:
            index = shown.index(copy)
            axes.plot(*zip(*points), color=PALETTE[index], marker=MARKERS[index], markersize=4,
                      linestyle=DASHES[index], linewidth=1.6, label=copy, zorder=3)
        else:
            axes.plot(*zip(*points), color=FAINT, linewidth=0.7, zorder=1)
    if len(order) > len(shown):
        axes.plot([], [], color=FAINT, linewidth=0.7, label=f"{len(order) - len(shown)} others")
    dress(run, axes, key, settings, unit)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
    return Picture(figure, title, f"{title}: {quantity(unit)} against "
                   f"{AXES.get(key, key)}, {len(order)} routines; of those measured "
                   f"throughout the best is {order[0]}.")


def dress(run, axes, key, settings, unit):
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    if high < 50 * low:  # else there might be no power of ten to read it by
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: scaled(value, 2))
    axes.yaxis.set_minor_formatter("")
    axes.set_ylabel(quantity(unit) + (", emulated" if run.emulated else ""))
    axes.set_xlabel(AXES.get(key, key))
    if key != "n":
        axes.set_xticks(range(len(settings)), settings)
        return
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: bytes_text(value))
    low, high = axes.get_xlim()
    for name, size in cache_sizes(run):
        if low < size < high:
            axes.axvline(size, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=2)
            axes.annotate(name, (size, 1), xycoords=("data", "axes fraction"), fontsize=8,
                          xytext=(2, -9), textcoords="offset points")


# ------------------------------------------------------------ strips

def strips(run, title, rows, unit, keep=BASE):
    """rows: setting in words -> {routine: figure}. A strip a setting with a dot a routine; the
    fastest bears its name."""
    figure, axes = plt.subplots(figsize=(7.6, 0.9 + 0.42 * len(rows)))
    for place, values in enumerate(rows.values()):
        best = max(values, key=values.get)
        axes.plot(list(values.values()), [place] * len(values), "|", color=FAINT, markersize=11,
                  zorder=1)
        if keep in values:
            axes.plot(values[keep], place, MARKERS[1], color=PALETTE[1], markersize=6, zorder=3)
        axes.plot(values[best], place, MARKERS[0], color=PALETTE[0], markersize=7, zorder=2)
        axes.annotate(best, (values[best], place), xytext=(8, 0), textcoords="offset points",
                      va="center", fontsize=8)
    axes.plot([], [], MARKERS[0], color=PALETTE[0], label="the fastest")
    axes.plot([], [], MARKERS[1], color=PALETTE[1], label=keep)
    axes.plot([], [], "|", color=FAINT, label="each other routine")
    axes.set_yticks(range(len(rows)), rows)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    if high < 50 * low:
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(lambda value, _: scaled(value, 2))
    axes.xaxis.set_minor_formatter("")
    axes.set_xlabel(quantity(unit) + (", emulated" if run.emulated else ""))
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=8)
    best = [f"{words}: {max(values, key=values.get)}" for words, values in rows.items()]
    return Picture(figure, title, f"{title}: {quantity(unit)}, a mark for each routine in each "
                   f"state. The fastest: {'; '.join(best)}.")


# ------------------------------------------------------------ maps

def maps(run, title, grids, unit, base=None):
    """grids: routine -> {(dst, src): figure}, on one scale; with `base`, each cell's ratio to
    that routine's on a diverging scale."""
    order = [copy for copy in ranked(grids, unit) if copy != base][:MAPS_MAX]
    rows = sorted({dst for grid in grids.values() for dst, _ in grid}, key=measured.number)
    columns = sorted({src for grid in grids.values() for _, src in grid}, key=measured.number)
    tables = {copy: [[cell(grids, copy, base, (dst, src), unit) for src in columns] for dst in rows]
              for copy in order}
    values = [value for rows_ in tables.values() for row in rows_ for value in row
              if value == value]
    norm = scale(values, base)
    across = min(3, len(order))
    down = -(-len(order) // across)
    figure, axes = plt.subplots(down, across, squeeze=False, sharex=True, sharey=True,
                                figsize=(1.2 + 2.6 * across, 0.6 + 2.4 * down))
    for place, copy in zip(axes.flat, order):
        image = one_map(place, copy, tables[copy], rows, columns, norm, base)
    axes.flat[0].invert_yaxis()  # of all: they share it
    for place in list(axes.flat)[len(order):]:
        place.set_visible(False)
    colours = figure.colorbar(image, ax=axes.ravel().tolist(), shrink=0.8)
    label = f"times as fast as {base}" if base else quantity(unit)
    colours.set_label(label + (", emulated" if run.emulated else ""))
    colours.ax.yaxis.set_major_formatter(
        lambda value, _: f"{value:.2g}" if base else scaled(value, 3))
    colours.ax.yaxis.set_minor_formatter("")
    return Picture(figure, title, f"{title}: {label}; {AXES.get('dst')} (down), and the source "
                   f"(across), for {', '.join(order)}.")


def cell(grids, copy, base, place, unit):
    """A figure, or how many times as fast as `base` it is."""
    value, other = grids[copy].get(place), grids[base].get(place) if base else 1
    if value is None or not other:
        return float("nan")
    if base is None or unit == HIGHER_IS_BETTER:
        return value / other
    return other / value if value else float("nan")


def figure_text(value, base):
    return f"{value:.2g}" if base else scaled(value, 2)


def scale(values, base):
    if base:
        return TwoSlopeNorm(1, min(0.5, *values), max(2, *values))
    return LogNorm(min(values), max(values) if max(values) > min(values) else min(values) * 1.1)


def one_map(axes, copy, table, rows, columns, norm, base):
    image = axes.pcolormesh(table, norm=norm, cmap="RdBu" if base else "cividis")
    axes.set_title(copy, fontsize=9)
    axes.grid(False)
    axes.set_xticks([i + 0.5 for i in range(len(columns))], columns, fontsize=7, rotation=90)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], rows, fontsize=7)
    if len(rows) * len(columns) <= 100:
        for y, row in enumerate(table):
            for x, value in enumerate(row):
                if value == value:
                    dark = norm(value) < 0.5 if not base else abs(norm(value) - 0.5) > 0.3
                    axes.text(x + 0.5, y + 0.5, figure_text(value, base), ha="center", va="center",
                              fontsize=5.5, color="#ffffff" if dark else "#000000")
    return image


# ------------------------------------------------------------ stacked bars

def stacked(run, title, parts, unit, keep=BASE):
    """parts: routine -> {part: figure}; what a copy costs in all, lowest first."""
    every = sorted(parts, key=lambda copy: sum(parts[copy].values()))
    order = every[:BARS_MAX] + [copy for copy in every[BARS_MAX:] if copy == keep]
    names = list(dict.fromkeys(part for values in parts.values() for part in values))
    figure, axes = plt.subplots(figsize=(7.6, 0.8 + 0.28 * len(order)))
    left = [0.0] * len(order)
    for index, part in enumerate(names):
        widths = [parts[copy].get(part, 0.0) for copy in order]
        axes.barh(order, widths, left=left, label=part, color=PALETTE[index % len(PALETTE)],
                  hatch=("", "//", "..", "xx", "\\\\", "oo", "++", "**")[index % 8],
                  edgecolor=INK, linewidth=0.4)
        left = [start + width for start, width in zip(left, widths)]
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(lambda value, _: scaled(value, 3))
    axes.set_xlabel(quantity(unit) + (", emulated" if run.emulated else ""))
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
    return Picture(figure, title, f"{title}: {quantity(unit)}, the sum of {', '.join(names)}; "
                   f"the lowest is {order[0]}"
                   + f", of {len(every)}" * (len(every) > len(order)) + ".")
