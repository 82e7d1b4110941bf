# SPDX-License-Identifier: BSD-2-Clause
"""Many machines at a glance: machines x routines, and who stands out among its equals."""

import html
import math

from host import measured, stats, verdict
from host.units import in_base, base_name

UNITS = ("MB/s", "ticks/op", "cycles/op")  # that this needs
ROUTINES_MAX = 12
EQUALS_MIN = 3  # machines of one CPU model before one of them can stand out
OUTLIER_SHARE = 0.05  # and at least so far from their median ...
OUTLIER_SPREADS = 5  # ... and so many times their typical distance from it


def unit_of(runs):
    """One unit for all: bandwidth, or ticks where a machine knows no time."""
    return "MB/s" if all(run.series.get("MB/s") for run in runs) else "ticks/op"


def routine_logs(run, unit):
    """routine -> {cell: log of its median}."""
    found = {}
    for name, values in run.series.get(unit, {}).items():
        value = stats.median(values)
        if value:
            found.setdefault(measured.keys_of(name).get("copy", ""), {})[name] = math.log(value)
    return found


def means(runs, unit):
    """[routine -> geometric mean], a run each, over the cells that all runs with the routine
    share: else a machine would be judged by what it was asked."""
    logs = [routine_logs(run, unit) for run in runs]
    shared = {}
    for by_routine in logs:
        for routine, cells in by_routine.items():
            if routine in shared:
                shared[routine] &= cells.keys()
            else:
                shared[routine] = set(cells)
    return [{routine: math.exp(math.fsum(map(cells.__getitem__, shared[routine]))
                               / len(shared[routine]))
             for routine, cells in by_routine.items() if shared[routine]}
            for by_routine in logs], shared


def outliers(runs, figures):
    """{(index of run, routine): share from the median of the same CPU model}."""
    models, found = {}, {}
    for index, run in enumerate(runs):
        models.setdefault((run.meta.get("cpu-id"), run.meta.get("cpu"), run.meta.get("timing")),
                          []).append(index)
    for members in models.values():
        for routine in set().union(*(figures[index] for index in members)):
            values = {i: figures[i][routine] for i in members if routine in figures[i]}
            if len(values) < EQUALS_MIN:
                continue
            middle = stats.median(values.values())
            spread = stats.median([abs(value - middle) for value in values.values()])
            for index, value in values.items():
                share = value / middle - 1
                if abs(share) > OUTLIER_SHARE and abs(value - middle) > OUTLIER_SPREADS * spread:
                    found[index, routine] = share
    return found


def fleet_html(runs, table_html):
    unit = unit_of(runs)
    figures, shared = means(runs, unit)
    strange = outliers(runs, figures)
    standing_out = {routine for _, routine in strange}
    routines = sorted(shared, key=lambda routine: (
        routine != verdict.BASE, routine not in standing_out,
        -sum(routine in row for row in figures),
        -stats.geometric_mean([row[routine] for row in figures if routine in row])
        if any(routine in row for row in figures) else 0))[:ROUTINES_MAX]
    rows = []
    for index, run in enumerate(runs):
        row = [run.name, run.meta.get("cpu", "?"), run.meta.get("timing", "?"),
               run.status if run.status == "pass" else ("✗ " + run.status, "broken"),
               *(choice.routine if choice and not run.emulated else "–"
                 for choice in verdict.for_all_sizes(run))]
        for routine in routines:
            value = figures[index].get(routine)
            row.append(figure_cell(value, unit, strange.get((index, routine))))
        rows.append(row)
    out = ["<h2>All machines</h2>",
           f"<p>Geometric mean of {base_name(unit)} for each routine, over the cells that all "
           "machines with that routine share. A figure marked ▲ or ▼ stands out among machines "
           f"of the same CPU model: by over {OUTLIER_SHARE * 100:.0f} % from their median and "
           f"{OUTLIER_SPREADS} times their usual distance. One for all sizes: the routine that "
           "is least behind the fastest of each size, hot in the cache; for kernel code: of those "
           "that leave the FPU's state as it was.</p>"]
    if len({run.emulated for run in runs}) > 1:
        out.append('<p class="warn"><strong>Emulated and real figures stand side by side.'
                   "</strong> They do not measure the same thing.</p>")
    out.append(table_html(["record", "CPU", "timing", "status", "one for all sizes",
                           "for kernel code", *routines], rows, text_columns=range(6)))
    listed = sorted(strange.items(), key=lambda item: -abs(item[1]))
    if listed:
        out.append("<p>Outliers: " + "; ".join(
            f"{html.escape(runs[index].name)} {html.escape(routine)} {share * 100:+.0f} %"
            for (index, routine), share in listed[:20]) + ".</p>")
    return "\n".join(out)


def figure_cell(value, unit, share):
    if value is None:
        return "–", "skipped"
    text = in_base(value, unit)
    if share is None:
        return text
    return f"{text} {'▲' if share > 0 else '▼'} {share * 100:+.0f} %", "broken"
