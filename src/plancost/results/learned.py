"""What a RESULT.json says, for whoever learns again as was learned before.

Less strict than `reading`: it asks only for what it uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.observations.cost_files import LARGEST_LEARNED_COST, checked_costs, read_json
from plancost.results.recorded import constrained_by


@dataclass(frozen=True)
class Learned:
    """Costs, how they were learned, and from which files (as they were named then)."""

    costs: dict[str, int]
    concept: Concept
    refined: bool
    initial_costs: Path | None
    observed: tuple[tuple[str, str, int], ...]
    """Problem, plan and count."""
    beyond: str | None = None
    """What else was told to learning, in words: the first thing that was."""


def read_learned(path: Path) -> Learned:
    """Read a RESULT.json; a plain file of costs is not enough."""
    content = read_json(path)
    if (
        not isinstance(content, dict)
        or "format" not in content
        or not isinstance(content.get("observations"), list)
    ):
        raise InputError("this is not a RESULT.json of plancost learn", path)
    costs = checked_costs(content.get("costs"), path)
    for name, cost in costs.items():
        if not 1 <= cost <= LARGEST_LEARNED_COST:
            raise InputError(f"the cost of {name} must be from 1 to {LARGEST_LEARNED_COST}", path)
    try:
        observed = tuple(
            (str(item["problem"]), str(item["plan"]), int(item.get("count", 1)))
            for item in content["observations"]
        )
        initial = (content.get("options") or {}).get("initial_costs")
        initial_costs = None if initial is None else Path(initial)
        beyond = _beyond(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError("the observations in this RESULT.json cannot be read", path) from error
    return Learned(
        costs,
        concept_of(content),
        bool(content.get("refined")),
        initial_costs,
        observed,
        beyond,
    )


def _beyond(content: dict[str, Any]) -> str | None:
    """The first thing that learning was told beyond a concept and initial costs."""
    options, observations = content.get("options") or {}, content["observations"]

    def any_has(key: str) -> bool:
        return any(item.get(key) is not None for item in observations)

    found = {
        "groups": content.get("groups") or any_has("group"),
        "known costs of plans": any_has("known_cost"),
        "suboptimality": any_has("suboptimality"),
        "shared costs": content.get("shared"),
        "linear costs": content.get("linear"),
    }
    by_content = next((words for words, is_there in found.items() if is_there), None)
    return by_content or constrained_by(options)


def concept_of(file: dict[str, Any]) -> Concept:
    """The concept that a RESULT.json was learned for."""
    try:
        solution = Solution(file.get("solution", "mcf"))
        options = file.get("options") or {}
        return Concept(
            solution,
            bool(file.get("strict")) and solution is Solution.ICF,
            Reorderings(options.get("reorderings", "distinct")),
            Ties(options.get("ties", "alternatives")),
        )
    except (ValueError, AttributeError):
        return Concept()
