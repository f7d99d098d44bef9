"""A small town as files, in PDDL and as streets, and the command run on it in this process."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from plancost.cli.main import main

DOMAIN = """(define (domain town) (:requirements :strips :typing) (:types place)
  (:predicates (at ?p - place) (path ?a ?b - place))
  (:action walk :parameters (?a ?b - place) :precondition (and (at ?a) (path ?a ?b))
    :effect (and (not (at ?a)) (at ?b))))
"""
PROBLEM = """(define (problem p) (:domain town) (:objects home hill school river bridge - place)
  (:init (at home) (path home hill) (path hill school) (path home river) (path river bridge)
    (path bridge school))
  (:goal (at school)))
"""
BY_RIVER = "(walk home river)\n(walk river bridge)\n(walk bridge school)\n"
BY_HILL = "(walk home hill)\n(walk hill school)\n"
PDDL = {
    "domain.pddl": DOMAIN,
    "school.pddl": PROBLEM,
    "school.monday.plan": BY_RIVER,
    "school.tuesday.plan": BY_RIVER,
    "school.friday.plan": BY_HILL,
}
"""Under mcf all three can be optimal (the hill then costs 2), under scf the two by the river."""
STREETS = {
    "links.csv": "link,from,to,metres\nr1,home,river,100\nr2,river,school,150\nh,home,school,300\n",
    "trips.csv": "trip,links,count\nmonday,r1 r2,2\nfriday,h,1\n",
}
Files = Mapping[str, str | bytes | None]


@dataclass(frozen=True)
class Done:
    """What a command said and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.out)
        return content


def write(folder: Path, files: Files, changes: Files | None = None) -> Path:
    """Files with these contents, without those that are None."""
    folder.mkdir(exist_ok=True)
    for name, content in {**files, **(changes or {})}.items():
        if content is not None:
            data = content if isinstance(content, bytes) else content.encode()
            (folder / name).write_bytes(data)
    return folder


def command(capsys: pytest.CaptureFixture[str], *words: object) -> Done:
    """Run the command in this process."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    capsys.readouterr()
    try:
        status = main([str(word) for word in words])
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return Done(status, *capsys.readouterr())
