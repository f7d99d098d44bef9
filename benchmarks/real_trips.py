"""Likely costs against maximum entropy on trips of a network, with minutes and turns in both.

    python -m benchmarks.real_trips run LINKS.csv TRIPS.csv TURNS.csv RECORDS.jsonl SECONDS
    python -m benchmarks.real_trips show RECORDS.jsonl

Five folds. One learning gives both: the most likely costs, which are those of maximum entropy, and
the likely costs at the weight that cross-validation takes. Two lines of the records are one fold
with one choice of what is known: trips learned from that are optimal, and overlap and exact of
those held out. Lines that are there are not run again. SECONDS are those of each learning.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost.files.tables import TextTable
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.routes.evaluation import folds
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.network import Network, Trip
from plancost.routes.prediction import RouteCosts, Shares, score_trips
from plancost.routes.read_links import read_network
from plancost.routes.read_trips import read_trips
from plancost.routes.turns import Turns, read_turns

Record = dict[str, Any]
FOLDS = 5
METHODS = ("maximum entropy", "likely")


def known(turns: Turns) -> dict[str, RouteOptions]:
    """What is known of costs, by name: nothing, minutes, turns, or both."""
    return {
        "nothing": RouteOptions(),
        "minutes": RouteOptions("minutes"),
        "turns": RouteOptions(turns=turns),
        "minutes and turns": RouteOptions("minutes", turns=turns),
    }


def records_of(
    network: Network,
    part: tuple[Sequence[Trip], Sequence[Trip]],
    options: RouteOptions,
    seconds: float | None,
) -> list[Record]:
    """What both methods make of the trips learned from, and of those held out."""
    learned, held_out = part
    started = time.process_time()
    learning = LearnOptions(choose=Choose.LIKELY, time_limit_s=seconds, groups=1)
    result = learn_routes(network, learned, replace(options, learning=learning))
    used = round(time.process_time() - started, 1)
    if result.choice is None or result.tie_break is None:
        return [{"method": method, "gave up": result.notes[-1]} for method in METHODS]
    most_likely = RouteCosts(result.tie_break, turns=options.turns)
    likely = RouteCosts(result.costs, result.tie_break, options.turns)
    found = []
    for method, costs in zip(METHODS, (most_likely, likely), strict=True):
        own, others = (
            Shares.of([score for score, _ in score_trips(network, costs, trips)])
            for trips in (learned, held_out)
        )
        found.append(
            {
                "method": method,
                "learned": own.trips,
                "kept": round(own.optimal * own.trips),
                "trips": others.trips,
                "overlap": round(others.overlap, 6),
                "exact": round(others.exact, 6),
                "weight": result.choice["optimality_weight"] if method == "likely" else 0.0,
                "cpu": used,
            }
        )
    return found


def run(
    network: Network, trips: Sequence[Trip], turns: Turns, file: Path, seconds: float | None
) -> None:
    """Append the records that are not there yet."""
    there = {(record["fold"], record["known"]) for record in read_records(file)}
    for fold, part in enumerate(folds(trips, FOLDS, 0), start=1):
        for name, options in known(turns).items():
            if (fold, name) not in there:
                found = records_of(network, part, options, seconds)
                with file.open("a") as lines:
                    for record in found:
                        lines.write(json.dumps({"fold": fold, "known": name} | record) + "\n")


def read_records(file: Path) -> list[Record]:
    """All records; none if there is no file yet."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return list(map(json.loads, lines))


def table(records: Iterable[Record]) -> TextTable:
    """A line for each choice of what is known and method, over the folds that there are."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if "kept" in record:
            groups.setdefault((record["known"], record["method"]), []).append(record)
    headings = ("known", "method", "folds", "optimal, learned from", "overlap", "exact", "CPU s")
    return TextTable(headings, tuple((*key, *_means(own)) for key, own in groups.items()))


def _means(own: Sequence[Record]) -> tuple[str, ...]:
    trips = sum(record["trips"] for record in own)
    kept = sum(record["kept"] for record in own) / sum(record["learned"] for record in own)
    overlap, exact = (
        sum(record[key] * record["trips"] for record in own) / trips for key in ("overlap", "exact")
    )
    cpu = sum(record["cpu"] for record in own) / len(own)
    return str(len(own)), f"{kept:.3f}", f"{overlap:.3f}", f"{exact:.3f}", f"{cpu:.0f}"


def main(arguments: Sequence[str]) -> None:
    """Run, or show what there is."""
    if arguments[0] == "run":
        links, trips, turns, records = map(Path, arguments[1:5])
        network = read_network(links)
        of_trips = read_trips(trips, network)
        run(network, of_trips, read_turns(turns, network), records, float(arguments[5]))
    else:
        print(table(read_records(Path(arguments[1]))).markdown(), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
