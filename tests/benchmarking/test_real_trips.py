"""The study of trips on a network: its records, and the table that is made of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from benchmarks import real_trips
from benchmarks.real_trips import METHODS, known, read_records, run, table

from plancost.routes.network import Link, Network, Trip
from plancost.routes.turns import Turns

# Most drive by b, though the way by c takes less time; both can be optimal.
NETWORK = Network(
    tuple(
        Link(start + end, start, end, {"minutes": Fraction(minutes)})
        for start, end, minutes in [("a", "b", 2), ("b", "d", 2), ("a", "c", 2), ("c", "d", 1)]
    )
)
TRIPS = [Trip(str(number), ("ab", "bd") if number % 5 else ("ac", "cd")) for number in range(10)]
TURNS = Turns({("ab", "bd"): "left", ("ac", "cd"): "right"})


def test_one_learning_gives_both_methods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_trips, "FOLDS", 2)
    file = tmp_path / "records.jsonl"
    run(NETWORK, TRIPS, TURNS, file, None)
    records = read_records(file)
    names = [(fold, name) for fold in (1, 2) for name in known(TURNS)]
    assert [(item["fold"], item["known"]) for item in records[::2]] == names
    assert [item["method"] for item in records] == list(METHODS) * len(names)
    assert all(item["learned"] == item["trips"] == 5 for item in records)
    for entropy, likely in zip(records[::2], records[1::2], strict=True):
        assert entropy["weight"] == 0.0
        assert entropy["kept"] <= likely["kept"]
    # Whatever is known, most trips held out are predicted as most drive.
    assert sum(item["exact"] for item in records) / len(records) == pytest.approx(0.8)
    text = file.read_text().splitlines()
    file.write_text("\n".join(text[:-2]) + "\n")
    run(NETWORK, TRIPS, TURNS, file, None)
    assert len(read_records(file)) == len(records)


def test_folds_count_by_their_trips() -> None:
    def record(kept: int, trips: int, exact: float) -> real_trips.Record:
        about = {"fold": 1, "known": "minutes", "method": "likely", "learned": 10, "overlap": 0.5}
        return about | {"kept": kept, "trips": trips, "exact": exact, "cpu": 3.0}

    gave_up = {"fold": 3, "known": "minutes", "method": "likely", "gave up": "no time"}
    found = table([record(5, 1, 1.0), record(9, 3, 0.0), gave_up])
    assert found.rows == (("minutes", "likely", "2", "0.700", "0.500", "0.250", "3"),)
