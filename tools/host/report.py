# SPDX-License-Identifier: BSD-2-Clause
"""Makes one HTML file of records: it needs no network and no scripts, and can be printed.

  metalcopy report first.record -o first.html
  metalcopy report lab/*.record -o lab.html      with a view over all machines
  metalcopy report first.record --png pictures/

Where there are many records, those after the first --details get no section of their own."""

import html
import os
import sys

from host import charts, measured, verdict
from host.cli import Refused
from host.files import refuse_existing, write_atomically
from host.fleet import UNITS as FLEET_UNITS, fleet_html
from host.show import HEAD, contract, pivot, unit_for
from host.units import base_name, in_base, to_base

UNITS = ("MB/s", *verdict.COSTS)

HELP = "make an HTML report with pictures"

CURVE_POINTS = 4  # sizes that make a curve worth drawing
PICTURES_MAX = 6  # an experiment; settings beyond are in the tables
CROSSING = "entry"  # the experiment that measures a call into the kernel
CROSSED = ("read-align", "file", "socket")  # those whose cells hold such a call
REMARKS_MAX = 6
EQUALS_MAX = 2  # routines that are no slower than the fastest, by name
SETTINGS_OPEN = 16  # rows that need not be folded away


def arguments(parser):
    parser.add_argument("files", nargs="+", metavar="RECORD", help="a log or a folder of a store")
    parser.add_argument("-o", "--output", metavar="FILE", help="the report (report.html)")
    parser.add_argument("--png", metavar="DIR", help="only the pictures, into this folder")
    parser.add_argument("--details", type=int, default=4, metavar="N",
                        help="how many records get a section of their own (4)")
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
    """What kind of run it was, and the answer: which copy, on this CPU, in which state."""
    keys = run.meta
    out = [f'<p class="lead"><span class="{"kept" if run.status == "pass" else "broken"}">'
           f"{'✓ passed' if run.status == 'pass' else '✗ status=fail: see the contract'}</span> "
           + escape(f"· {run.name} · {keys.get('timing', '?')} · {keys.get('goarch', '?')} · "
                    f"{keys.get('args', '?')} · {keys.get('version', '?')}") + "</p>"]
    if run.emulated:
        out.append('<p class="warn"><strong>Emulated.</strong> The figures test the program; '
                   "they say nothing about a CPU, and which routine is fastest here says as "
                   "little.</p>")
    if run.remarks:
        out.append('<div class="warn"><strong>The record says of its own figures:</strong><ul>'
                   + "".join(f"<li>{escape(text)}</li>" for text in run.remarks[:REMARKS_MAX])
                   + "</ul></div>")
    out += ["<h3>Which copy, in which state?</h3>", advice_html(run), states_html(run),
            facts_html(run)]
    return "\n".join(out)


def advice_html(run):
    lines = [] if run.emulated else list(verdict.advice(run))
    if not lines:
        return ""
    return '<ul class="advice">' + "".join(
        f"<li>{escape(what)}: <strong>{escape(routine)}</strong>; {escape(why)}.</li>"
        for what, routine, why in lines) + "</ul>"


def states_html(run):
    """The fastest in each state: by size, by cache, by TLB, by page."""
    by_name = measured.experiments(run)
    rows = [row for name in verdict.STATES if name in by_name
            for row in verdict_rows(run, verdict.settings(run, by_name[name]), name)]
    if not rows:
        return ""
    return table_html(("state", *VERDICT_HEAD), rows, VERDICT_TEXT) + VERDICT_NOTE


def facts_html(run):
    return '<dl class="facts">' + "".join(
        f"<div><dt>{escape(key)}</dt><dd>{escape(fact(key, run.meta.get(key, '?')))}</dd></div>"
        for key in HEAD) + "</dl>"


def fact(key, value):
    """A META value as people write it."""
    if key in ("l1d", "l2", "l3") and value.count("/") == 2:
        size, ways, line = value.split("/")
        return f"{verdict.size_words(size)}, {ways} ways, lines of {line} bytes"
    if key.endswith("-hz") and value.split()[0].isdigit():
        hertz, *rest = value.split(" ", 1)
        return " ".join([f"{int(hertz) / 1e9:.3f} GHz", *rest])
    return value


def contract_html(run):
    """Routines down, forms across: what each keeps."""
    kept, broken, todo, skipped = contract(run)
    out = [f"<p>{kept} grades kept, {len(broken)} broken, {todo} neither claimed nor kept, "
           f"{skipped} skipped.</p>"]
    if broken:
        out.append("<ul>" + "".join(f'<li class="broken">✗ {escape(name)}</li>'
                                    for name in broken) + "</ul>")
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
        out.append(folded(f"each of {len(rows)} routines, in each of its forms",
                          table_html(["routine", *forms], rows)))
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


def folded(title, body, opened=False):
    return (f"<details{' open' * opened}><summary>{escape(title)}</summary>{body}</details>")


VERDICT_HEAD = ("fastest", "B/s", "bytes a cycle", f"× {verdict.BASE}", "of", "for kernel code",
                "no slower than the fastest")
VERDICT_TEXT = (0, 1, 6, 7)
VERDICT_NOTE = (f'<p class="soft">× {verdict.BASE}: how many times as fast as the processor\'s own '
                "copy. Of: how many routines were measured in that state. For kernel code: the "
                "fastest that leaves the FPU's state as it was; it uses integer registers only, "
                "or saves and restores the others itself (names in _saved). No slower: their "
                "rounds overlap with those of the fastest.</p>")


def verdict_rows(run, places, name=None):
    """A row a setting: the fastest routine, and what it is faster than."""
    kernel = verdict.kernel_routines(run)
    for place in places:
        best, base = place.best, place.of(verdict.BASE)
        rate = measured.median_of(run, best.cell, "MB/s")
        n = measured.keys_of(best.cell).get("n", "")
        alone = next((entry.routine for entry in place.entries if entry.routine in kernel), "–")
        equal = verdict.equals(run, place)
        yield [f"{name}: {place.words}" if name else place.words, (best.routine, "best"),
               in_base(rate, "MB/s") if rate else "–",
               f"{int(n) / best.cost:.2f}" if place.unit == "cycles/op" and n.isdigit() else "–",
               f"{base.cost / best.cost:.2f}" if base else "–", str(len(place.entries)), alone,
               ", ".join(equal[:EQUALS_MAX])
               + (f" and {len(equal) - EQUALS_MAX} more" * (len(equal) > EQUALS_MAX))]


def verdict_html(run, names):
    """For each setting the fastest routine, and those that are no slower."""
    places = [place for place in verdict.settings(run, names) if len(place.entries) > 1]
    if not places:
        return ""
    body = table_html(("setting", *VERDICT_HEAD), verdict_rows(run, places), VERDICT_TEXT)
    if len(places) <= SETTINGS_OPEN:
        return body
    return folded(f"the fastest at each of {len(places)} settings", body)


def experiment_pictures(run, name, names, unit):
    """What of an experiment's cells can be drawn."""
    keys, copies, rows = pivot(run, names, unit)
    rows = {setting: {copy: to_base(value, unit) for copy, value in values.items()}
            for setting, values in rows.items()}
    if not keys or not rows or len(copies) < 2 or "part" in keys:
        return
    if name in verdict.STATES and "n" not in keys[:1] or name == "cache":
        yield from state_pictures(run, name, names)
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
        copy, rest = pairs.pop("copy"), tuple(pairs.items())
        if part is not None:
            bars.setdefault(rest, {}).setdefault(copy, {})[part] = to_base(value, unit)
        elif crossing and name in CROSSED and value > crossing and at_start(pairs):
            bars.setdefault(rest, {})[copy] = {"crossing": to_base(crossing, unit),
                                               "whole": to_base(value, unit)}
    for rest, routines in sorted(bars.items(), key=lambda bar: [
            measured.number(value) for _, value in bar[0]]):
        if len(routines) > 1:
            yield charts.stacked(run, title_of(run, name, rest),
                                 {copy: with_rest(values) for copy, values in routines.items()},
                                 base_name(unit))


# Bytes an operation by its cost in a unit, and what that makes.
RATES = {"cycles/op": (1, "bytes a core cycle"), "ns/op": (1e9, "B/s"),
         "ticks/op": (1, "bytes a TSC tick")}


def state_pictures(run, name, names):
    """Each routine in each state, by what the table of states is ranked by."""
    places = verdict.settings(run, names)
    if places and all(measured.keys_of(cell).get("n", "").isdigit() for cell in names):
        factor, rate = RATES[places[0].unit]
        yield charts.strips(run, title_of(run, name, ()), {
            place.words: {entry.routine: factor * int(measured.keys_of(entry.cell)["n"])
                          / entry.cost for entry in place.entries} for place in places}, rate)


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
        if verdict.BASE in grids and len(grids) > 1:
            yield charts.maps(run, title_of(run, name, rest) + f", beside {verdict.BASE}", grids,
                              base_name(unit), verdict.BASE)


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


def texts(run):
    """experiment -> (its title, its lines for people)"""
    starts = [i for i, line in enumerate(run.text) if line.startswith("experiment ")]
    found = {}
    for start, end in zip(starts, [*starts[1:], len(run.text)]):
        name, _, title = run.text[start].removeprefix("experiment ").partition(": ")
        found.setdefault(name, (title, run.text[start + 1:end]))
    return found


def text_html(lines):
    """The experiment's own tables, with the published figures beside, as the record has them."""
    text = "\n".join(lines)
    return folded("the record's own tables", f"<pre>{escape(text)}</pre>", "as published" in text)


def machine_html(page, run, number, heading):
    by_name, described = measured.experiments(run), texts(run)
    order = sorted(by_name, key=lambda name: (verdict.STATES.index(name)
                                              if name in verdict.STATES else len(by_name)))
    links = [f'<a href="#m{number}-{escape(name)}">{escape(name)}</a>'
             for name in (*order, "contract")]
    out = [f'<section id="m{number}">', heading, head_html(run),
           f"<nav>Measured: {' '.join(links)}</nav>"]
    for name in order:
        names, unit = by_name[name], unit_for(run, by_name[name], "MB/s")
        title, lines = described.get(name, ("", ()))
        out += [f'<h3 id="m{number}-{escape(name)}">{escape(name)}</h3>',
                f'<p class="soft">{escape(title)}</p>' if title else "",
                *map(page.figure, limited(all_pictures(run, name, names, unit))),
                "" if name in verdict.STATES else verdict_html(run, names),
                text_html(lines) if lines else ""]
    out += [f'<h3 id="m{number}-contract">contract</h3>', contract_html(run), "</section>"]
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
        heading = "" if len(runs) == 1 else \
            f"<h2>{escape(run.name)}: {escape(run.meta.get('cpu', '?'))}</h2>"
        out.append(machine_html(page, run, number, heading))
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
    runs = measured.load(args.files, args.details, {"units": FLEET_UNITS, "details": False},
                         units=UNITS)
    write_atomically(output, page_html(runs, args.details).encode())
    print(f"{output}: {len(runs)} record{'s' * (len(runs) != 1)}", file=sys.stderr)
    return 0
