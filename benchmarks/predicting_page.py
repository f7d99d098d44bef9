"""The tables and pictures of docs/predicting.md, from the records of `predicting`.

    python -m benchmarks.predicting_page

In the page, a table stands between two comments that name it, and so do the words that depend on
the records; all other words are written by hand.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.predicting import LIKELY, SCENARIOS, SIZES, Record, read_records
from plancost.evaluation.paired import Interval
from plancost.evaluation.recovery import SMALL_WORLDS

HERE = Path(__file__).parent
RECORDS = HERE / "studies" / "predicting.jsonl"
PAGE = HERE.parent / "docs" / "predicting.md"
WORLDS = tuple(SMALL_WORLDS)
NOISY = tuple(name for name in SCENARIOS if name != "clean")
NAMES = {"ours": "least", "likely": "likely (chosen)", "maxent": "maximum entropy"} | {
    name: f"likely, weight {name.removeprefix('likely ')}" for name in LIKELY
}
"""What methods are called on the page, where it is not their name in the records."""


@dataclass(frozen=True)
class Cell:
    """One method in one scenario, world and number of plans, seed by seed."""

    own: dict[int, Record]
    rival: dict[int, Record]
    """The same of maximum entropy."""
    plans: int
    missing: int = 0
    """Seeds where the method gave up."""

    def mean(self, key: str) -> float:
        """Over all seeds."""
        return statistics.fmean(record[key] for record in self.own.values())

    def half(self, key: str) -> float:
        """Half of the 95 % interval of the mean."""
        interval = Interval.of(record[key] for record in self.own.values())
        return math.inf if interval is None else interval.half

    def more(self, key: str) -> list[float]:
        """How much more than maximum entropy, seed by seed."""
        return [
            self.own[seed][key] - self.rival[seed][key] for seed in self.own if seed in self.rival
        ]

    @property
    def kept_share(self) -> float:
        """Of the plans learned from, how many are optimal."""
        return self.mean("kept") / self.plans


class Study:
    """All records, by what they are about."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._by: dict[tuple[str, str, int, str], dict[int, Record]] = {}
        self.count = self.earlier = 0
        """How many records there are, and how many of them are of an earlier version."""
        for record in records:
            self.count += 1
            self.earlier += "earlier" in record
            key = (record["scenario"], record["world"], record["plans"], record["method"])
            self._by.setdefault(key, {})[record["seed"]] = record

    def worlds(self, scenarios: Sequence[str]) -> list[str]:
        """Those with records of some of these scenarios."""
        known = {key[1] for key in self._by if key[0] in scenarios}
        return [world for world in WORLDS if world in known]

    def cell(self, scenario: str, world: str, plans: int, method: str) -> Cell | None:
        """None if there are no records."""
        every = self._by.get((scenario, world, plans, method), {})
        rival = self._by.get((scenario, world, plans, "maxent"), {})
        own = {seed: record for seed, record in every.items() if "regret" in record}
        return Cell(own, rival, plans, len(every) - len(own)) if own else None


def against(values: Sequence[float], digits: int = 3) -> str:
    """A mean difference with its 95 % interval."""
    interval = Interval.of(values)
    return "" if interval is None or interval.values < 2 else interval.text(digits)


def clean_table(study: Study) -> list[str]:
    """Plans that are truly optimal: a line for each world, number of plans and method."""
    lines = [
        "| world | plans | method | seeds | true regret | against maximum entropy | truly optimal |"
        " training plans optimal | true costs in 90 % intervals | CPU s |",
        "|---|---:|---|---:|---:|---|---:|---:|---:|---:|",
    ]
    for world in WORLDS:
        for plans in SIZES:
            for method in SCENARIOS["clean"].methods:
                cell = study.cell("clean", world, plans, method)
                if cell is not None:
                    lines.append(_clean_line(cell, world, method))
    return lines


def _clean_line(cell: Cell, world: str, method: str) -> str:
    is_mean = method == "mean"
    cells = (
        *(world, str(cell.plans), NAMES.get(method, method), _seeds(cell)),
        f"{cell.mean('regret'):.3f}",
        "" if method == "maxent" else against(cell.more("regret")),
        f"{100 * cell.mean('optimal'):.0f} %",
        f"{100 * cell.kept_share:.1f} %",
        f"{100 * cell.mean('covered'):.0f} %" if is_mean else "",
        f"{cell.mean('seconds'):.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def _seeds(cell: Cell) -> str:
    gave_up = f" ({cell.missing} gave up)" if cell.missing else ""
    return f"{len(cell.own)}{gave_up}"


def noisy_table(study: Study) -> list[str]:
    """Plans that are not all optimal: a line for each scenario, world and method."""
    lines = [
        "| plans | world | method | seeds | true regret | against maximum entropy |"
        " training plans optimal | against maximum entropy |",
        "|---|---|---|---:|---:|---|---:|---|",
    ]
    for name in NOISY:
        (plans,) = SCENARIOS[name].sizes
        for world in WORLDS:
            for method in SCENARIOS[name].methods:
                cell = study.cell(name, world, plans, method)
                if cell is not None:
                    lines.append(_noisy_line(cell, name, world, method))
    return lines if len(lines) > 2 else []


def _noisy_line(cell: Cell, scenario: str, world: str, method: str) -> str:
    is_rival = method == "maxent"
    more = [value / cell.plans * 100 for value in cell.more("kept")]
    cells = (
        *(scenario, world, NAMES.get(method, method), _seeds(cell)),
        f"{cell.mean('regret'):.3f}",
        "" if is_rival else against(cell.more("regret")),
        f"{100 * cell.kept_share:.0f} %",
        "" if is_rival else against(more, 0),
    )
    return "| " + " | ".join(cells) + " |"


def clean_words(study: Study) -> list[str]:
    """What the first table shows."""
    means = [
        (f"{world}, {plans}", cell)
        for world in WORLDS
        for plans in SIZES
        if (cell := study.cell("clean", world, plans, "mean")) is not None
    ]
    kept = sum(record["kept"] for _, cell in means for record in cell.own.values())
    seen = sum(cell.plans * len(cell.own) for _, cell in means)
    fresh = [
        record["covered"]
        for _, cell in means
        for seed, record in cell.own.items()
        if seed >= FIRST_FRESH
    ]
    lines = [f"- Under the mean {kept} of {seen} training plans are optimal."]
    lines += _verdicts(means)
    if fresh:
        share = f"{100 * statistics.fmean(fresh):.0f} %"
        lines.append(
            f"- Of the true costs {share} are in the 90 % intervals of the mean, over {len(fresh)}"
            " runs with seeds on which nothing was tuned."
        )
    if study.earlier:
        lines.append(
            f"- {study.earlier} of the {study.count} records are of an earlier version: with 64"
            " chains, which counted once they had mixed even if the time was up before a search had"
            " looked at them, and with a spread of 4 for likely costs. Seeds below"
            f" {FIRST_FRESH} have 20 tasks to predict, the same for each seed, and the prior of the"
            " mean was set after a look at some of them."
        )
    return lines


def _verdicts(means: Sequence[tuple[str, Cell]]) -> list[str]:
    """Where the mean has less regret than maximum entropy, as much, or more."""
    found: dict[str, list[str]] = {
        "lower": [],
        "the same within the 95 % interval": [],
        "higher": [],
    }
    for name, cell in means:
        more = Interval.of(cell.more("regret"))
        if more is not None and more.values > 1:
            number = 0 if more.high < 0 else 2 if more.low > 0 else 1
            list(found.values())[number].append(name)
    return [
        f"- Against maximum entropy its true regret is {word}: {'; '.join(names)} plans."
        for word, names in found.items()
        if names
    ]


def noisy_words(study: Study) -> list[str]:
    """Where a point of the path predicts as well as maximum entropy and explains more."""
    lines = []
    for name in NOISY:
        (plans,) = SCENARIOS[name].sizes
        for world in WORLDS:
            better = []
            cells = {m: study.cell(name, world, plans, m) for m in ("likely", *LIKELY)}
            known = {m: cell for m, cell in cells.items() if cell and len(cell.more("kept")) > 1}
            for method, cell in known.items():
                regret, kept = Interval.of(cell.more("regret")), Interval.of(cell.more("kept"))
                if regret and kept and regret.low <= 0 < kept.low:
                    better.append(NAMES[method])
            if known:
                lines.append(f"- {name}, {world}: {', '.join(better) or 'none'}.")
    if not lines:
        return ["There are no records of this part of the study yet."]
    return [
        "Points with a true regret no higher than that of maximum entropy and more training plans"
        " optimal, both by the 95 % interval:",
        "",
        *lines,
        "",
        "![Training plans optimal against true regret](pictures/predicting-front.svg)",
        "",
        "*From left to right along the line: weights 0, 1/2, 2/3 and 1. The ring is the weight that"
        " cross-validation takes.*",
    ]


FIRST_FRESH = 100
"""On seeds from this on, nothing was tuned."""
TABLES = {
    "clean": clean_table,
    "clean words": clean_words,
    "noisy": noisy_table,
    "noisy words": noisy_words,
}


def filled(page: str, study: Study) -> str:
    """The page with its tables as the records have them."""
    for name, table in TABLES.items():
        begin, end = f"<!-- table: {name} -->", "<!-- end of table -->"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        assert found and closed, name
        page = before + "\n".join([begin, "", *table(study), "", end]) + after
    return page


def main() -> None:
    """Write tables and pictures."""
    from benchmarks.predicting_pictures import draw_all

    study = Study(read_records(RECORDS))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), study), encoding="utf-8")
    draw_all(study, PAGE.parent / "pictures")


if __name__ == "__main__":
    main()
