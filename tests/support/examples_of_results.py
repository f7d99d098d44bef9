"""A RESULT.json as a value, and ways to damage it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

VALID: dict[str, Any] = {
    "format": 1,
    "solution": "mcf",
    "strict": False,
    "refined": False,
    "alternatives": "exact",
    "options": {"on_invalid": "error"},
    "plans": 1,
    "optimal_plans": 0,
    "upper_bound": 0,
    "proved": True,
    "believed_optimal": 0,
    "secondary": {"value": 2, "lower_bound": 2, "proved": True},
    "costs": {"(move a b)": 1, "(move b a)": 1},
    "observations": [
        {
            "problem": "p1.pddl",
            "plan": "p1.plan",
            "count": 1,
            "optimal": False,
            "cost": 1,
            "optimal_cost": 0,
            "rival": [],
            "rival_cost": 0,
            "explanation": {
                "reason": "in conflict",
                "plans": ["p1.plan"],
                "certificate": [
                    {
                        "plan": "p1.plan",
                        "alternative": [],
                        "plan_only": ["(move a b)"],
                        "alternative_only": [],
                        "strict": False,
                        "times": 1,
                    }
                ],
            },
        }
    ],
    "verified": True,
    "seconds": {"total": 0.5},
    "notes": ["one"],
    "history": [{"seconds": 0.1, "optimal": 0, "bound": 1}],
    "ranges": {"(move a b)": {"least": 1, "greatest": 2, "proved": True}},
}


def places(
    content: dict[str, Any] | list[Any], path: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a file."""
    items: Iterable[tuple[Any, Any]]
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def damaged(content: dict[str, Any], place: tuple[Any, ...], value: object) -> dict[str, Any]:
    """A copy with another value in one place, or with none if the value is ``"missing"``."""
    found = copy.deepcopy(content)
    inside: Any = found
    for key in place[:-1]:
        inside = inside[key]
    if value == "missing":
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return found
