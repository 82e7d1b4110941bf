# SPDX-License-Identifier: BSD-2-Clause
"""Which routine is the fastest in which state, and what that comes to in plain words."""

from dataclasses import dataclass

from host import measured, stats
from host.units import bytes_text

# What a figure is ranked by: core cycles do not change when the clock does.
COSTS = ("cycles/op", "ns/op", "ticks/op")
BASE = "rep_movsb"  # what others are set beside: the processor's own copy, which every CPU has
SAVED = "_saved"  # the end of a routine's name that saves the FPU's state around itself
STATES = ("size", "cache", "tlb", "pages")  # the experiments that ask where a copy's data lie
ADVICE_SETTINGS = 3  # with fewer there is no choice for all of them
PLACES = {"l1": "L1", "l2": "L2", "l3": "L3", "memory": "memory",
          "l1_dirty": "dirty L1", "l2_dirty": "dirty L2", "l3_dirty": "dirty L3"}

TERMS = {("tlb", "hot"): "TLB hot", ("tlb", "stlb"): "first-level TLB miss",
         ("tlb", "walk"): "page walk", ("tlb", "cold"): "page walk, paging structures cold",
         ("tlb", "tables"): "page walk, page tables in memory", ("page", "4kib"): "4 KiB pages",
         ("page", "2mib"): "2 MiB pages", ("page", "larger"): "pages of 4 MiB or 1 GiB",
         ("cache", "hot"): "hot", ("cache", "memory"): "from memory"}


@dataclass(slots=True)
class Entry:
    """One routine in one setting."""
    routine: str
    cost: float
    cell: str


@dataclass
class Setting:
    words: str
    unit: str
    entries: list  # the cheapest first

    @property
    def best(self):
        return self.entries[0]

    def of(self, routine):
        return next((entry for entry in self.entries if entry.routine == routine), None)


def settings(run, names):
    """What these cells, all of one experiment, say for each setting, in order."""
    if not names:
        return []
    keys = measured.varying_keys(names) or [
        key for key in measured.keys_of(names[0]) if key not in ("exp", "copy")]
    unit = next((unit for unit in COSTS if all(run.values(name, unit) for name in names)),
                COSTS[-1])
    found = {}
    for name in names:
        cost, pairs = measured.median_of(run, name, unit), measured.keys_of(name)
        if cost:
            found.setdefault(tuple(pairs.get(key, "") for key in keys), []).append(
                Entry(pairs.get("copy", ""), cost, name))
    return [Setting(words(dict(zip(keys, values))), unit,
                    sorted(found[values], key=lambda entry: entry.cost))
            for values in sorted(found, key=lambda s: [measured.number(v) for v in s])]


def words(pairs):
    """A setting for people: its keys that vary."""
    parts = []
    if "n" in pairs:
        parts.append(size_words(pairs.pop("n")))
    if pairs.get("src") in PLACES and pairs.get("dst") in PLACES:
        parts.append(f"{PLACES[pairs.pop('src')]} to {PLACES[pairs.pop('dst')]}")
    parts += [TERMS.get((key, value), f"{key} {value}") for key, value in pairs.items() if value]
    return ", ".join(parts) or "all"


def size_words(n):
    """ "64 bytes", "8 KiB"."""
    text = bytes_text(int(n)) if n.isdigit() else n
    return f"{text} bytes" if text.isdigit() else f"{text[:-1]} {text[-1]}iB"


def equals(run, setting):
    """Routines whose rounds overlap with the best one's: neither can be called the faster."""
    first = run.values(setting.best.cell, setting.unit)
    return [entry.routine for entry in setting.entries[1:]
            if min(run.values(entry.cell, setting.unit)) <= max(first)]


def kernel_routines(run):
    """Those that kernel code can call as it is: they leave the FPU's state as it was."""
    copies = {measured.keys_of(name).get("copy", "") for name in run.cells}
    return {copy for copy in copies if copy + SAVED not in copies}


# ------------------------------------------------------------ one routine for all settings

@dataclass
class Choice:
    """How far a routine is behind the fastest of each setting: 1.0 is not at all."""
    routine: str
    mean: float
    worst: float
    where: str  # the setting of the worst


def choices(places, allowed=None):
    """Of the routines that were measured in all settings, the best on the whole first."""
    losses = {}
    for place in places:
        for entry in place.entries:
            losses.setdefault(entry.routine, []).append(
                (entry.cost / place.best.cost, place.words))
    return sorted((Choice(routine, stats.geometric_mean([loss for loss, _ in all_]), *max(all_))
                   for routine, all_ in losses.items()
                   if len(all_) == len(places) and (allowed is None or routine in allowed)),
                  key=lambda choice: choice.mean)


def behind(loss):
    """ "12 % slower", "3.4 times as slow"."""
    if loss < 1.005:
        return "no slower"
    return f"{(loss - 1) * 100:.0f} % slower" if loss < 2 else f"{loss:.1f} times as slow"


def for_all_sizes(run):
    """The Choice of all routines for copies that are hot in the cache, and that of those that
    kernel code can call; each may be None."""
    places = places_by_size(run)
    if len(places) < ADVICE_SETTINGS:
        return None, None
    return tuple(next(iter(choices(places, allowed)), None)
                 for allowed in (None, kernel_routines(run)))


def places_by_size(run):
    return settings(run, measured.experiments(run).get("size", ()))


def advice(run):
    """[(what for, the routine, why)]: sentences that answer "which copy?"."""
    places = places_by_size(run)
    best, kernel = for_all_sizes(run)
    if best:
        span = f"{places[0].words} to {places[-1].words}, hot in the cache"
        base = next((choice for choice in choices(places) if choice.routine == BASE), None)
        seen = set()
        for what, choice in ((f"One routine for all sizes ({span})", best),
                             ("The same, for kernel code that may not touch the FPU's state",
                              kernel), ("The processor's own copy", base)):
            if choice and choice.routine not in seen:
                seen.add(choice.routine)
                yield what, choice.routine, (
                    "nothing is faster at any size" if choice.worst < 1.005 else
                    f"beside the fastest of each size {behind(choice.mean)} on average, "
                    f"{behind(choice.worst)} at worst ({choice.where})")
    names = measured.experiments(run).get("dst-align")
    if names:
        yield from off_alignment(run, names)


def off_alignment(run, names):
    """What a destination off alignment costs the best routine, and the processor's own."""
    names = [name for name in names if measured.keys_of(name).get("src") == "0"]
    places = settings(run, names)
    found = choices(places)
    by_dst = {measured.keys_of(place.best.cell).get("dst"): place for place in places}
    if "0" not in by_dst or len(by_dst) < ADVICE_SETTINGS or not found:
        return
    for routine in dict.fromkeys([found[0].routine, BASE]):
        aligned = by_dst["0"].of(routine)
        losses = [(place.of(routine).cost / aligned.cost, dst)
                  for dst, place in by_dst.items() if aligned and place.of(routine)]
        if len(losses) > 1:
            loss, dst = max(losses)
            yield ("Destination off a page boundary", routine,
                   f"{behind(loss)} than on one, at worst ({dst} byte{'s' * (dst != '1')} off)")
