"""From the knowledge of a run to bounds that need no solver: trees of cases.

A tree says: some plan is in the set, or it is not; and so on. In a leaf inequalities over the
plans, each taken some number of times, show that no set of that case weighs more than is claimed
(duality of linear programs). Inequalities follow from conflicts, whose rows add up to a
contradiction. Branching takes the place of the integer solver, so nothing rests on its word.

The second objective has a tree of the same kind. A *price* is a conflict under a condition: sets
with a plan of each of its classes cost at least so much. If no set that weighs as much as the best
one avoids all conflicts and all prices of the bound or more, then every such set costs the bound.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import SolverError
from plancost.files import write_atomically
from plancost.learn.conflict import Conflict, Cuts
from plancost.learn.master import PARTS, ROUNDS, Relaxation
from plancost.learn.rows import PlanSet, Vector

Json = dict[str, Any]

_NEARLY = 1e-6
"""So near to 0 or 1 a plan counts as left out or chosen."""
_LEAST_FALL = 1e-4
"""A bound that does not fall in one case should not hide how much it falls in the other."""
_MOST_TRIED = 6
"""Plans that are tried before the cases are divided by one of them."""
_MOST_CASES = 5000
"""A larger tree is left open: its file would be too large."""


def add_trees(
    path: Path, weights: Sequence[int], most: int, least: int | None, more: Json, clock: Clock
) -> None:
    """Add the trees of the bounds to the file of a run, as far as time allows, and `more`.

    No set weighs more than `most`; all sets of that weight cost `least`, if that is more than
    plain.
    """
    document = {**json.loads(path.read_bytes()), **more}
    cases, conflicts = _Cases(weights, clock), document["conflicts"]
    for number, conflict in enumerate(conflicts):
        if conflict["rows"]:
            cases.add(number, conflict["classes"])
    document["most"] = cases.tree(most)
    if least is not None:
        for number, price in enumerate(document["prices"], start=len(conflicts)):
            if price["bound"] >= least:
                cases.add(number, price["classes"])
        document["least"] = cases.tree(most - 1)
    document["inequalities"] = cases.inequalities()
    write_atomically(path, json.dumps(document, separators=(",", ":")))


class _OpenError(Exception):
    """A tree cannot be closed, and why."""


class _Cases:
    """Builds trees over the conflicts and prices that it is given."""

    def __init__(self, weights: Sequence[int], clock: Clock) -> None:
        self._clock = clock
        self._cuts = Cuts(len(weights))
        self._relaxation = Relaxation(np.array(weights, dtype=np.int64), self._cuts)
        self._numbers: list[int] = []
        """Of what the cuts know: the numbers of conflicts or, behind these, of prices."""
        self._is_done = False
        """Whether there is a price of all sets."""
        self._left = 0
        """How many cases the tree may still have."""

    def add(self, number: int, classes: Sequence[Sequence[int]]) -> None:
        """Take a conflict or price into account."""
        if not classes:
            self._is_done = True
        elif self._cuts.learn(Conflict(tuple(map(frozenset, classes)), None)):
            self._numbers.append(number)

    def inequalities(self) -> list[Json]:
        """All that leaves take; `of` is -1 for plans in conflict pair by pair."""
        return [
            {"of": self._numbers[row.of] if row.of >= 0 else -1, "cliques": row.cliques}
            for row in self._relaxation.rows
        ]

    def tree(self, most: int) -> Json:
        """That no set weighs more, or why that is left open."""
        if self._is_done:
            return {"take": [], "parts": 1}
        self._left = _MOST_CASES
        try:
            return self._proved(frozenset(), frozenset(), most)
        except OutOfTimeError:
            return {"open": "the time was over before all cases were closed"}
        except (_OpenError, SolverError) as reason:
            return {"open": str(reason)}

    def _proved(self, inside: PlanSet, outside: PlanSet, most: int) -> Json:
        """The same of sets with the plans inside and without those outside."""
        self._clock.check()
        self._left -= 1
        if self._left < 0:
            raise _OpenError(f"there are more than {_MOST_CASES} cases")
        values, bound = self._relaxed(inside, outside)
        if bound <= most:
            return {"take": self._relaxation.taken, "parts": PARTS}
        plan = self._deciding(values, inside, outside)
        return {
            "plan": plan,
            "without": self._proved(inside, outside | {plan}, most),
            "with": self._proved(inside | {plan}, outside, most),
        }

    def _deciding(self, values: Vector, inside: PlanSet, outside: PlanSet) -> int:
        """The plan that lowers the bound most in both cases, of those least decided."""
        paid, unsure = self._relaxation.paid, np.minimum(values, 1 - values)
        unsure[sorted(inside | outside)] = 0.0
        tried = [n for n in np.argsort(-unsure, kind="stable").tolist() if unsure[n] > _NEARLY]
        if not tried:
            raise _OpenError(
                f"{paid // PARTS} plans are in no conflict that has a certificate: the bound rests "
                "on an integer program"
            )

        def falls(plan: int) -> float:
            found = 1.0
            for case in ((inside | {plan}, outside), (inside, outside | {plan})):
                self._relaxed(*case, rounds=1)
                found *= max(_LEAST_FALL, (paid - self._relaxation.paid) / PARTS)
            return found

        plans: list[int] = tried[:_MOST_TRIED]
        return max(plans, key=falls) if len(plans) > 1 else plans[0]

    def _relaxed(
        self, inside: PlanSet, outside: PlanSet, rounds: int = ROUNDS
    ) -> tuple[Vector, int]:
        """How much of each plan the relaxation chooses in a case, and its bound."""
        self._relaxation.restrict(inside, outside)
        return self._relaxation.solve(self._clock, rounds)
