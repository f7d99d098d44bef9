"""PROOF.json: the claims about a learned result, and all that they rest on (docs/proofs.md).

Plans are numbered as in `plans`, alternatives and actions as in the lists of the same names. Only
what the two trees use is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil, floor, lcm
from typing import Any

from plancost.errors import UsageError
from plancost.learning.incumbent import Incumbent
from plancost.learning.master.inequalities import Inequality
from plancost.learning.master.relaxation import PARTS
from plancost.learning.problem.concept import Ties
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.proof.tree import Branch, Node, Open, Priced, Prover
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

FORMAT = 2
Json = dict[str, Any]


def refuse_proof(task: LearningTask) -> None:
    """Say which questions cannot be proven to others yet."""
    if task.concept.is_strict and task.concept.ties is Ties.OBSERVED:
        raise UsageError("--certificate does not go with --ties observed")
    if task.structure.weights:
        raise UsageError("--certificate does not go with linear costs")
    if task.most_deviation is not None:
        raise UsageError("--certificate does not go with --soft-costs")
    if task.required:
        raise UsageError("--certificate does not go with --require")


def proof_of(incumbent: Incumbent, deadline: Deadline) -> Json | None:
    """The proof of an incumbent's bounds; None where nothing was searched."""
    first, full, task = incumbent.first, incumbent.full, incumbent.task
    if first is None:
        return None
    prover = Prover(first, incumbent.conflicts)
    share = 1.0 if full is None else SCHEDULE.proving_weight
    weight = prover.prove_weight(incumbent.upper_bound, deadline.share(share))
    writer = _Writer(task, prover, [first] if full is None else [first, full])
    document: Json = {"most": {"plans": incumbent.upper_bound, "tree": writer.node(weight)}}
    if full is not None and incumbent.weight == incumbent.upper_bound:
        least = incumbent.secondary_bound
        cost = prover.prove_cost(full, incumbent.weight, least, deadline)
        document["least"] = {"secondary": least, "tree": writer.node(cost)}
    return {**writer.tables(), **document}


class _Writer:
    """Numbers what is used, as it is used."""

    def __init__(self, task: LearningTask, prover: Prover, known: list[Subproblem]) -> None:
        self._task = task
        self._prover = prover
        self._known = known
        self._actions: dict[str, int] = {}
        self._alternatives: dict[Plan, int] = {}
        self._conflicts: dict[Conflict, int] = {}
        self._inequalities: dict[Inequality, int] = {}
        self._given = {
            row: number
            for number, row in enumerate(row for item in task.known for row in item.rows())
        }
        self._pairs: dict[PlanSet, int] = {}
        self._conflict_lines: list[list[Json]] = []
        self._inequality_lines: list[Json] = []

    def node(self, node: Node) -> Json:
        """A tree as JSON."""
        if isinstance(node, Branch):
            without, with_it = self.node(node.without), self.node(node.with_it)
            return {"plan": node.plan, "without": without, "with": with_it}
        if isinstance(node, Open):
            return {"open": node.reason}
        if isinstance(node, Priced):
            common = lcm(*(times.denominator for _, times in node.rows))
            rows = self._rows((row, int(times * common)) for row, times in node.rows)
            return {"rows": rows, "parts": common}
        taken = [[self._inequality(row), times] for row, times in node.proof]
        return {"inequalities": taken, "parts": PARTS}

    def tables(self) -> Json:
        """All that the trees refer to, and what is claimed about what."""
        task = self._task
        for plan in sorted(self._prover.inequalities.infeasible_alone):
            self._pairs[frozenset({plan})] = self._conflict(self._prover.alone(plan))
        return {
            "proof": FORMAT,
            "bounds": self._bounds(),
            "known": [
                [item.observation, ceil(item.least), floor(item.greatest)] for item in task.known
            ],
            "shared": self._shared(),
            "plans": [{"observations": list(item.observations)} for item in task.candidates],
            "actions": list(self._actions),
            "alternatives": [[self._actions[name] for name in plan] for plan in self._alternatives],
            "conflicts": self._conflict_lines,
            "pairs": [[min(pair), max(pair), number] for pair, number in self._pairs.items()],
            "inequalities": self._inequality_lines,
        }

    def _bounds(self) -> dict[str, list[int | None]]:
        ends = zip(self._task.parameters, self._task.terms, strict=True)
        found = {name: [term.least, term.greatest] for name, term in ends}
        return {name: ends for name, ends in found.items() if ends != [1, None]}

    def _shared(self) -> dict[str, str]:
        """The costs of actions that do not have their own, by name."""
        costs = zip(self._task.case.actions, self._task.structure.classes, strict=True)
        return {action: name for action, name in costs if action != name}

    def _rows(self, rows: Iterable[tuple[Row, int]]) -> list[Json]:
        """Rows that plans induce, or known costs of plans; bounds go without saying."""
        found: list[Json] = []
        for row, times in rows:
            if not times:
                continue
            if row in self._given:
                found.append({"times": times, "given": self._given[row]})
            elif not any(row in known.given for known in self._known):
                owners = sorted([plan, alt] for plan, alt in self._owners(row).items())
                found.append({"times": times, "of": owners})
        return found

    def _owners(self, row: Row) -> Mapping[int, int]:
        """The plans that induce a row, each with the number of an alternative that shows it."""
        for known in self._known:
            if known.knows(row):
                return {
                    plan: self._alternative(known.alternative(plan, row))
                    for plan in sorted(known.inducing_plans(row))
                }
        raise AssertionError("a proof rests on a row that nobody knows")

    def _alternative(self, plan: Plan) -> int:
        for name in plan:
            self._actions.setdefault(name, len(self._actions))
        return self._alternatives.setdefault(plan, len(self._alternatives))

    def _conflict(self, conflict: Conflict) -> int:
        if conflict not in self._conflicts:
            assert conflict.certificate is not None
            rows = zip(conflict.certificate.rows, conflict.certificate.multipliers, strict=True)
            self._conflicts[conflict] = len(self._conflict_lines)
            self._conflict_lines.append(self._rows(rows))
        return self._conflicts[conflict]

    def _inequality(self, inequality: Inequality) -> int:
        if inequality not in self._inequalities:
            self._inequalities[inequality] = len(self._inequality_lines)
            classes, cliques = self._prover.inequalities.found[inequality]
            if not classes:
                clique = [plan for plan, _ in inequality[0]]
                self._show(clique)
                self._inequality_lines.append({"cliques": [clique]})
            else:
                for members in cliques:
                    self._show(members)
                number = self._conflict(self._prover.by_classes(classes))
                lines = [list(members) for members in cliques]
                self._inequality_lines.append({"conflict": number, "cliques": lines})
        return self._inequalities[inequality]

    def _show(self, clique: Iterable[int]) -> None:
        """Say of all pairs of a clique which conflict excludes them."""
        members = sorted(clique)
        for place, one in enumerate(members):
            for other in members[place + 1 :]:
                pair = frozenset({one, other})
                if pair not in self._pairs:
                    self._pairs[pair] = self._conflict(self._prover.between(one, other))
