"""What a RESULT.json says, for whoever learns again as was learned before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.learning.problem.concept import Concept
from plancost.results.claims import Claims, PlanClaim, read_claims
from plancost.results.document import decode
from plancost.results.recorded import constrained_by
from plancost.results.result import LearnedCost


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
    claims = read_claims(path)
    observations = claims.observations
    if claims.format is None or claims.costs is None or observations is None:
        raise InputError("this is not a RESULT.json of plancost learn", path)
    initial_costs = claims.options.get("initial_costs")
    if initial_costs is not None:
        initial_costs = Path(decode(initial_costs, str, path, "options.initial_costs"))
    return Learned(
        decode(claims.costs, dict[str, LearnedCost], path, "costs."),
        claims.concept,
        claims.refined,
        initial_costs,
        tuple((item.problem, item.plan, item.count) for item in observations),
        _beyond(claims, observations),
    )


def _beyond(claims: Claims, observations: tuple[PlanClaim, ...]) -> str | None:
    """The first thing that learning was told beyond a concept and initial costs."""
    options = claims.options

    def any_has(key: str) -> bool:
        return any(getattr(item, key) is not None for item in observations)

    found = {
        "groups": claims.groups or any_has("group"),
        "known costs of plans": any_has("known_cost"),
        "suboptimality": any_has("suboptimality"),
        "shared costs": claims.shared,
        "linear costs": claims.linear,
    }
    by_content = next((words for words, is_there in found.items() if is_there), None)
    return by_content or constrained_by(options)
