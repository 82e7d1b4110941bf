# SPDX-License-Identifier: BSD-2-Clause
"""Makes one HTML file of records: it needs no network and no scripts, and can be printed.

  metalcopy report first.record -o first.html
  metalcopy report lab/*.record -o lab.html      with a view over all machines
  metalcopy report first.record --png pictures/

Where there are many records, those after the first --details get no section of their own."""

import html
import os
import sys

from host import charts, measured
from host.cli import Refused
from host.files import refuse_existing, write_atomically
from host.fleet import fleet_html
from host.show import HEAD, contract, pivot, unit_for
from host.units import base_name, in_base, to_base

UNITS = ("MB/s", "ns/op", "ticks/op")

HELP = "make an HTML report with pictures"

CURVE_POINTS = 4  # sizes that make a curve worth drawing
PICTURES_MAX = 6  # an experiment; settings beyond are in the tables
CROSSING = "entry"  # the experiment that measures a call into the kernel
CROSSED = ("read-align", "file", "socket")  # those whose cells hold such a call
BASE = "rep_movsb"  # what ratios are to: the processor's own copy, which every CPU has


def arguments(parser):
    parser.add_argument("files", nargs="+", metavar="RECORD", help="a log or a folder of a store")
    parser.add_argument("-o", "--output", metavar="FILE", help="the report (report.html)")
    parser.add_argument("--png", metavar="DIR", help="only the pictures, into this folder")
    parser.add_argument("--details", type=int, default=8, metavar="N",
                        help="how many records get a section of their own (8)")
    parser.add_argument("--force", action="store_true", help="overwrite what is there")


# ------------------------------------------------------------ pieces of HTML

escape = html.escape


def table_html(head, rows, text_columns=(0,)):
    """Cells are text, or (text, class); the first column heads its row."""
    def cell(tag, column, content, more=""):
        text, name = content if isinstance(content, tuple) else (content, "")
        names = " ".join(filter(None, [name, "text" if column in text_columns else ""]))
        names = f' class="{names}"' if names else ""
        return f"<{tag}{more}{names}>{escape(text)}</{tag}>"
    out = ['<div class="wide"><table>', "<thead><tr>"]
    out += [cell("th", i, content, ' scope="col"') for i, content in enumerate(head)]
    out.append("</tr></thead><tbody>")
    for row in rows:
        out.append("<tr>" + cell("th", 0, row[0], ' scope="row"')
                   + "".join(cell("td", i, content) for i, content in enumerate(row) if i)
                   + "</tr>")
    out.append("</tbody></table></div>")
    return "\n".join(out)


class Page:
    """Numbers the pictures, so that each has names of its own in the file."""

    def __init__(self):
        self.pictures = 0

    def figure(self, picture):
        self.pictures += 1
        svg = picture.svg(self.pictures).replace(
            'role="img"', f'role="img" aria-label="{escape(picture.words, quote=True)}"', 1)
        picture.close()
        return (f'<figure><div class="wide">{svg}</div>'
                f"<figcaption>{escape(picture.words)}</figcaption></figure>")


# ------------------------------------------------------------ sections of a machine

def head_html(run):
    rows = [(key, run.meta.get(key, "?")) for key in HEAD]
    out = [table_html(("", run.name), rows, text_columns=(0, 1))]
    if run.emulated:
        out.insert(0, '<p class="warn"><strong>Emulated.</strong> The figures test the program; '
                   "they say nothing about a CPU.</p>")
    if run.status != "pass":
        out.insert(0, '<p class="warn"><strong>status=fail.</strong> See the contract below.</p>')
    return "\n".join(out)


def contract_html(run):
    """Routines down, forms across: what each keeps."""
    kept, broken, todo, skipped = contract(run)
    out = [f"<p>{kept} kept, {len(broken)} broken, {todo} neither claimed nor kept, "
           f"{skipped} skipped.</p>"]
    cells, forms = {}, {}
    for test in run.tests:
        words = test.name.split()
        if len(words) == 4 and words[0] == "contract" and words[3] in ("safe", "literal"):
            _, routine, form, grade = words
            forms.setdefault(form)
            cells.setdefault(routine, {}).setdefault(form, {})[grade] = test
    rows = [[routine, *(grade_cell(by_form.get(form)) for form in forms)]
            for routine, by_form in cells.items()]
    if rows:
        out.append(table_html(["routine", *forms], rows))
    if broken:
        out.append("<ul>" + "".join(f'<li class="broken">{escape(name)}</li>' for name in broken)
                   + "</ul>")
    return "\n".join(out)


def grade_cell(grades):
    """The best grade that holds; a claim that does not is broken."""
    if not grades:
        return ""
    tests = list(grades.values())
    if any(test.broken for test in tests):
        return "✗ broken", "broken"
    if all(test.directive == "SKIP" for test in tests):
        return f"– {tests[0].why}", "skipped"
    holds = [grade for grade in ("literal", "safe") if grade in grades and grades[grade].ok]
    return (f"✓ {holds[0]}", "kept") if holds else ("✗ neither", "broken")


def tied(run, best, other, unit):
    """Whether the rounds of two cells overlap: then neither can be called the faster."""
    first, second = run.values(best, unit), run.values(other, unit)
    return min(first) <= max(second) and min(second) <= max(first)


def verdict_html(run, names, unit):
    """For each setting the fastest routine, and those that are no slower."""
    keys = measured.varying_keys(names)
    settings = {}
    for name in names:
        value = measured.median_of(run, name, unit)
        if value:
            pairs = measured.keys_of(name)
            settings.setdefault(tuple(pairs.get(key, "") for key in keys), []).append((value, name))
    rows = []
    sign = 1 if unit in measured.HIGHER_IS_BETTER else -1
    for setting in sorted(settings, key=lambda s: [measured.number(v) for v in s]):
        ranked = sorted(settings[setting], key=lambda pair: -sign * pair[0])
        value, best = ranked[0]
        equal = [measured.keys_of(name)["copy"] for _, name in ranked[1:]
                 if tied(run, best, name, unit)]
        slowest = ranked[-1]
        rows.append([", ".join(f"{k}={v}" for k, v in zip(keys, setting)) or "all",
                     measured.keys_of(best)["copy"], in_base(value, unit),
                     f"{(value / slowest[0]) ** sign:.1f} × {measured.keys_of(slowest[1])['copy']}",
                     ", ".join(equal[:4]) + (f" and {len(equal) - 4} more" * (len(equal) > 4))])
    if not rows or len(settings) == len(names):
        return ""
    body = table_html(["setting", "fastest", base_name(unit), "best to worst", "no slower"], rows,
                      text_columns=(0, 1, 4))
    if len(rows) <= 16:
        return body
    return (f"<details><summary>the fastest at each of {len(rows)} settings</summary>{body}"
            "</details>")


def experiment_pictures(run, name, names, unit):
    """What of an experiment's cells can be drawn."""
    keys, copies, rows = pivot(run, names, unit)
    rows = {setting: {copy: to_base(value, unit) for copy, value in values.items()}
            for setting, values in rows.items()}
    if not keys or not rows or len(copies) < 2 or "part" in keys:
        return
    distinct = {key: {setting[i] for setting in rows} for i, key in enumerate(keys)}
    if {"dst", "src"} <= set(keys) and min(len(distinct["dst"]), len(distinct["src"])) > 2:
        if 4 * len(rows) > len(distinct["dst"]) * len(distinct["src"]):
            yield from map_pictures(run, name, keys, copies, rows, unit)
            return
        # Only one side moves at a time: curves, each of its own side.
        for side, other in (("dst", "src"), ("src", "dst")):
            yield from curve_pictures(run, name, keys, copies, {
                setting: values for setting, values in rows.items()
                if setting[keys.index(other)] == "0"}, side, unit)
        return
    axis = "n" if len(distinct.get("n", ())) >= CURVE_POINTS else max(
        keys, key=lambda key: len(distinct[key]))
    if len(distinct[axis]) < 3:
        return
    yield from curve_pictures(run, name, keys, copies, rows, axis, unit)


def curve_pictures(run, name, keys, copies, rows, axis, unit):
    for rest, series in grouped(keys, rows, copies, [axis]):
        lines = {copy: {setting[0]: value for setting, value in values.items()}
                 for copy, values in series.items() if len(values) > 1}
        if lines:
            yield charts.curves(run, title_of(run, name, rest), lines, axis, base_name(unit))


def stack_pictures(run, name, names, unit):
    """What a cost is made of, where the cells say which part of it they are, or where a call
    into the kernel is in it whose own price was measured."""
    crossing = crossing_cost(run, unit)
    bars = {}
    for cell in names:
        pairs = dict(measured.keys_of(cell))
        value = measured.median_of(run, cell, unit)
        part = pairs.pop("part", None)
        if value is None or pairs.pop("exp") == CROSSING:
            continue
        label = " ".join([pairs.pop("copy"), *(f"{key}={text}" for key, text in pairs.items())])
        if part is not None:
            bars.setdefault(label, {})[part] = to_base(value, unit)
        elif crossing and name in CROSSED and value > crossing and at_start(pairs):
            bars[label] = {"crossing": to_base(crossing, unit), "whole": to_base(value, unit)}
    if len(bars) > 1:
        yield charts.stacked(run, title_of(run, name, ()),
                             {label: with_rest(values) for label, values in bars.items()},
                             base_name(unit))


def crossing_cost(run, unit):
    """The cheapest call into the kernel that does nothing, or None."""
    costs = [measured.median_of(run, cell, unit) for cell in run.cells
             if measured.keys_of(cell).get("exp") == CROSSING
             and measured.keys_of(cell).get("call") == "null"]
    return min(filter(None, costs), default=None)


def at_start(pairs):
    """Aligned buffers: the other offsets have a curve of their own."""
    return all(pairs.get(key, "0") == "0" for key in ("dst", "src", "buffer"))


def with_rest(values):
    """A whole beside its parts is more than one of them."""
    whole = values.get("whole")
    if whole is None:
        return values
    parts = {part: value for part, value in values.items() if part != "whole"}
    rest = whole - sum(parts.values())
    return {**parts, "the rest": rest} if rest > whole / 100 else parts


def map_pictures(run, name, keys, copies, rows, unit):
    for rest, series in grouped(keys, rows, copies, ["dst", "src"]):
        grids = {copy: values for copy, values in series.items() if len(values) > 2}
        if not grids:
            continue
        yield charts.maps(run, title_of(run, name, rest), grids, base_name(unit))
        if BASE in grids and len(grids) > 1:
            yield charts.maps(run, title_of(run, name, rest) + f", beside {BASE}", grids,
                              base_name(unit), BASE)


def grouped(keys, rows, copies, axes):
    """[(setting of the other keys, {routine: {values of axes: figure}})]"""
    groups = {}
    for setting, values in rows.items():
        pairs = dict(zip(keys, setting))
        rest = tuple((key, value) for key, value in pairs.items() if key not in axes)
        for column, value in values.items():
            groups.setdefault(rest, {}).setdefault(copies[column], {})[
                tuple(pairs[key] for key in axes)] = value
    return groups.items()


def title_of(run, experiment, rest):
    return " ".join([f"{run.name}: {experiment}", *(f"{key}={value}" for key, value in rest)])


def text_html(run, experiment):
    """The experiment's own tables, with the published figures beside, as the record has them."""
    starts = [i for i, line in enumerate(run.text) if line.startswith("experiment ")]
    for start, end in zip(starts, [*starts[1:], len(run.text)]):
        if run.text[start].startswith(f"experiment {experiment}:"):
            text = "\n".join(run.text[start:end])
            opened = " open" if "as published" in text else ""
            return (f"<details{opened}><summary>the tables of the record</summary>"
                    f"<pre>{escape(text)}</pre></details>")
    return ""


def machine_html(page, run, number):
    out = [f'<section id="m{number}"><h2>{escape(run.name)}: {escape(run.meta.get("cpu", "?"))}'
           "</h2>", head_html(run), "<h3>Contract</h3>", contract_html(run)]
    for experiment, names in measured.experiments(run).items():
        unit = unit_for(run, names, "MB/s")
        out.append(f"<h3>{escape(experiment)}</h3>")
        out += [page.figure(picture) for picture in
                limited(all_pictures(run, experiment, names, unit))]
        out += [verdict_html(run, names, unit), text_html(run, experiment)]
    out.append("</section>")
    return "\n".join(out)


def all_pictures(run, experiment, names, unit):
    yield from stack_pictures(run, experiment, names, unit_for(run, names, "ns/op"))
    yield from experiment_pictures(run, experiment, names, unit)


def limited(pictures):
    for count, picture in enumerate(pictures):
        if count < PICTURES_MAX:
            yield picture
        else:
            picture.close()


# ------------------------------------------------------------ the whole

def page_html(runs, details):
    page = Page()
    with open(os.path.join(os.path.dirname(__file__), "report.css"), encoding="utf-8") as file:
        css = file.read()
    title = f"metalcopy: {runs[0].meta.get('cpu', runs[0].name)}" if len(runs) == 1 \
        else f"metalcopy: {len(runs)} records"
    out = ["<!DOCTYPE html>", '<html lang="en"><head><meta charset="utf-8">',
           '<meta name="viewport" content="width=device-width, initial-scale=1">',
           f"<title>{escape(title)}</title>", f"<style>{css}</style></head><body>",
           f"<h1>{escape(title)}</h1>"]
    if len(runs) > 1:
        out.append("<nav>" + "".join(f'<a href="#m{i}">{escape(run.name)}</a>'
                                     for i, run in enumerate(runs[:details])) + "</nav>")
        out.append(fleet_html(runs, table_html))
    for number, run in enumerate(runs[:details]):
        out.append(machine_html(page, run, number))
    if len(runs) > details:
        out.append(f'<p class="soft">{len(runs) - details} more records are in the table of all '
                   "machines only (--details).</p>")
    out.append("</body></html>")
    return "\n".join(out) + "\n"


def save_pngs(runs, args):
    os.makedirs(args.png, exist_ok=True)
    count = 0
    for run in runs[:args.details]:
        for experiment, names in measured.experiments(run).items():
            pictures = all_pictures(run, experiment, names, unit_for(run, names, "MB/s"))
            for number, picture in enumerate(limited(pictures), 1):
                path = os.path.join(args.png, f"{run.name}-{experiment}-{number}.png")
                refuse_existing((path,), args.force)
                picture.png(path)
                picture.close()
                count += 1
    if not count:
        raise Refused("there is nothing to draw: no experiment has three settings or more")
    print(f"{count} pictures in {args.png}")


def main(args):
    if args.png:
        save_pngs(measured.load(args.files), args)
        return 0
    output = args.output or "report.html"
    refuse_existing((output,), args.force)
    runs = measured.load(args.files, units=UNITS)
    write_atomically(output, page_html(runs, args.details).encode())
    print(f"{output}: {len(runs)} record{'s' * (len(runs) != 1)}", file=sys.stderr)
    return 0
