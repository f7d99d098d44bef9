"""The tasks to predict plans of: those of a case, problems of PDDL, or pairs of places."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from plancost.case.model import Case, Network, Task
from plancost.case.read import other_problems, read_case
from plancost.case.streets import street_case
from plancost.case.tables import read_table
from plancost.clock import Clock
from plancost.errors import InputError, UsageError


def with_tasks(case: Case, tasks: Path | None, clock: Clock, memory_limit: int | None) -> Case:
    """The same case for other tasks, with observations where the tasks are trips.

    `tasks` is a problem of PDDL or a folder of them; for streets a table with from, to, or of
    trips.
    """
    if tasks is None:
        return case
    if case.streets is not None:
        return _on_streets(case, tasks)
    if case.pddl is None:
        raise UsageError("`tasks` needs a case of PDDL or streets")
    return other_problems(case, tasks, clock, memory_limit)


def stream_of(case: Case, stream: Case | Path | str, clock: Clock) -> Case:
    """New plans: a case, or for streets a table of trips on the same links."""
    if isinstance(stream, Case):
        return stream
    place = Path(stream)
    if case.streets is not None and place.is_file():
        return _on_streets(case, place)
    return read_case(place, clock=clock)


def _on_streets(case: Case, tasks: Path) -> Case:
    table, network = case.streets, case.worlds[0]
    assert table is not None
    assert isinstance(network, Network)
    found = read_table(tasks, "tasks", ())
    if {"links", "nodes"} & set(found.columns):
        links = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        return replace(street_case(links, tasks), name=case.name, streets=table)
    if not {"from", "to"} <= set(found.columns):
        words = "the first line must name the columns from and to, or trip and links (or nodes)"
        raise InputError(words, tasks, 1)
    number = {name: place for place, name in enumerate(network.states)}
    own = []
    for line, row in found.rows:
        for column in ("from", "to"):
            if row[column] not in number:
                raise InputError(f"no link begins or ends at {row[column]!r}", tasks, line)
        start, end = number[row["from"]], number[row["to"]]
        name = f"{row['from']} -> {row['to']}"
        own.append(Task(name, 0, frozenset({start}), goal_states=frozenset({end})))
    return replace(case, tasks=tuple(own), observations=(), notes=())
