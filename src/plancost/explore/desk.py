"""What the page asks for, from plain values to questions; and the page itself.

Actions and plans come as numbers: in the order of their names, and of the case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from plancost.errors import UsageError
from plancost.explore.answers import Answer
from plancost.explore.session import Session
from plancost.explore.why import Asked
from plancost.observations.cost_files import LARGEST_COST
from plancost.observations.files import name_within
from plancost.observations.parts import without_plans
from plancost.report.page import Addition, report_page
from plancost.system.values import whole_number

_MOST_ROADS = 1000
"""A street network with more is not drawn: that takes longer than an answer."""
MORE_S = 30.0
"""How long a question goes on if somebody asks for more."""


class Desk:
    """Where a person asks: a session, and how its answers are shown."""

    def __init__(self, session: Session, name: str, coordinates: Path | None = None) -> None:
        self.session = session
        self._case = session.setup.case
        self._name = name
        self._coordinates = coordinates
        self._shown: tuple[int, str] | None = None
        self._actions = sorted(self._case.actions)
        self._plans = [
            name_within(self._case.root, item.plan_file) for item in self._case.observations
        ]
        self._does: dict[str, Callable[[Mapping[str, Any], int], None]] = {
            "bound": self._bound,
            "drop": lambda asked, version: self._plan(asked, version, dropped=True),
            "require": lambda asked, version: self._plan(asked, version, required=True),
            "take back": self._take_back,
            "why": self._why,
            "undo": lambda _, version: self.session.undo(version),
            "more": lambda _, version: self.session.more(version, MORE_S),
            "stop": lambda *_: self.session.stop(),
        }

    def ask(self, asked: Mapping[str, Any]) -> None:
        """Do what the page asks for; a `UsageError` if that is nothing sensible."""
        does = self._does.get(str(asked.get("do")))
        version = whole_number(asked.get("version"))
        if does is None or version is None:
            raise UsageError("this is no question")
        does(asked, version)

    def page(self) -> str:
        """The report of the last answer, with the panel."""
        answer = self.session.answer
        if self._shown is None or self._shown[0] != answer.number:
            self._shown = (answer.number, self._page(answer))
        return self._shown[1]

    def _page(self, answer: Answer) -> str:
        case = without_plans(self._case, answer.question.dropped)
        data = {
            "explore": {
                "answer": answer.number,
                "plans": self._plans,
                "problems": self._problems,
                "seconds": self.session.seconds,
                "more": MORE_S,
                "isStreets": case.domain is None,
            }
        }
        addition = Addition(
            _file("panel.html"),
            _file("explore.css"),
            _file("explore.js"),
            data,
            connects=True,
            with_map=case.domain is not None or len(case.actions) <= _MOST_ROADS,
        )
        return report_page(answer.result, case, self._name, self._coordinates, addition)

    @cached_property
    def _problems(self) -> list[str]:
        root = self._case.root
        names = [task.name for task in self._case.tasks]
        if self._case.domain is None:
            return names
        return [name_within(root, Path(name)) for name in names]

    def _bound(self, asked: Mapping[str, Any], version: int) -> None:
        action = self._actions[_number(asked, "action", len(self._actions))]
        least, greatest = (_cost(asked.get(key)) for key in ("least", "greatest"))
        if least is not None and greatest is not None and least > greatest:
            raise UsageError("the least cost is above the greatest")
        self.session.ask(self.session.question.with_bound(action, least or 1, greatest), version)

    def _take_back(self, asked: Mapping[str, Any], version: int) -> None:
        parts = self.session.question.without_each()
        self.session.ask(parts[_number(asked, "item", len(parts))], version)

    def _plan(
        self,
        asked: Mapping[str, Any],
        version: int,
        *,
        dropped: bool = False,
        required: bool = False,
    ) -> None:
        name = self._plans[_number(asked, "plan", len(self._plans))]
        question = self.session.question.with_plan(name, dropped=dropped, required=required)
        self.session.ask(question, version)

    def _why(self, asked: Mapping[str, Any], version: int) -> None:
        if "plan" in asked:
            number = _number(asked, "plan", len(self._plans))
            seen = self._case.observations[number]
            self.session.why(Asked(seen.task, seen.plan, self._plans[number]), version)
            return
        task = _number(asked, "problem", len(self._case.tasks))
        self.session.why(Asked.typed(self._case, task, str(asked.get("text", ""))), version)


def _number(asked: Mapping[str, Any], key: str, below: int) -> int:
    number = whole_number(asked.get(key))
    if number is None or not 0 <= number < below:
        raise UsageError(f"there is no such {key}")
    return number


def _cost(value: object) -> int | None:
    if value is None or value == "":
        return None
    number = whole_number(value)
    if number is None or not 1 <= number <= LARGEST_COST:
        raise UsageError(f"a cost is a whole number from 1 to {LARGEST_COST}")
    return number


def _file(name: str) -> str:
    return files("plancost.explore").joinpath(name).read_text(encoding="utf-8")
