"""PROOF.json: the claims about a learned result, and all that they rest on (docs/proofs.md).

Plans are numbered as in `plans`, alternatives and actions as in the lists of the same names. Only
what the two trees use is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import lcm
from typing import Any

from plancost.errors import UsageError
from plancost.learning.incumbent import Incumbent
from plancost.learning.master.inequalities import Inequality
from plancost.learning.master.relaxation import PARTS
from plancost.learning.problem.concept import Ties
from plancost.learning.problem.parameter_limits import BOUND
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.proof.potentials import potentials_of
from plancost.learning.proof.tree import Branch, Node, Open, Priced, Prover
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

FORMAT = 3
_POTENTIALS_S = 10.0
"""For one task: a linear program cannot be interrupted."""
Json = dict[str, Any]


def refuse_proof(task: LearningTask) -> None:
    """Say which questions cannot be proven to others yet."""
    if task.concept.ties is Ties.OBSERVED:
        for members in task.case.observations_of_task:
            files = sorted({str(task.case.observations[n].source.problem) for n in members})
            if len(files) > 1:
                raise UsageError(
                    f"{files[0]} and {files[1]} are one task, and the checker of certificates "
                    "would take them for two with --ties observed; list its plans under one file"
                )


def proof_of(incumbent: Incumbent, deadline: Deadline, confirmed: int | None = None) -> Json | None:
    """The proof of the bounds; None if nothing was searched.

    The second objective is proven if the check `confirmed` as many plans as can be optimal; None
    stands for what is claimed.
    """
    first, full = incumbent.first, incumbent.full
    if first is None:
        return None
    prover = Prover(first, incumbent.conflicts)
    share = 1.0 if full is None else SCHEDULE.proving_weight
    most = incumbent.most_plans
    count = prover.prove_count(most, deadline.share(share))
    writer = _Writer(incumbent, prover, [first] if full is None else [first, full])
    document: Json = {"most": {"plans": most, "tree": writer.node(count)}}
    reached = incumbent.plans if confirmed is None else confirmed
    if full is not None and incumbent.proved and reached == most:
        least = incumbent.secondary_bound
        cost = prover.prove_cost(full, most, least, deadline)
        document["least"] = {"secondary": least, "tree": writer.node(cost)}
    return {**writer.tables(), **document}


def add_potentials(incumbent: Incumbent, deadline: Deadline) -> None:
    """Add to its proof what helps the checker see that plans are optimal, as far as time allows."""
    task, proof = incumbent.task, incumbent.proof
    if proof is None or task.case.domain is None:  # on streets it needs no help
        return
    case, costs = task.case, task.named(incumbent.costs)
    claimed = {n for number in incumbent.chosen for n in task.candidates[number].observations}
    lines: list[Json] = []
    proof["potentials"] = lines
    for grounded, members in zip(case.tasks, case.observations_of_task, strict=True):
        if deadline.is_over:
            break
        if not claimed.isdisjoint(members):
            found = potentials_of(grounded.sas, costs, deadline.within(_POTENTIALS_S))
            if found is not None:
                numbers = [list(own) for own in found.numbers]
                lines.append(
                    {"observations": list(members), "parts": found.parts, "numbers": numbers}
                )


def given_bounds(task: LearningTask) -> dict[str, list[int | None]]:
    """What costs that are one number each may be, if not everything; others have rows."""
    found = {
        name: [term.least, term.greatest]
        for name, term, members in zip(
            task.parameters, task.terms, task.structure.members, strict=True
        )
        if members
    }
    return {name: ends for name, ends in found.items() if ends != [1, None]}


class _Writer:
    """Numbers what is used, as it is used."""

    def __init__(self, incumbent: Incumbent, prover: Prover, known: list[Subproblem]) -> None:
        self._task = incumbent.task
        self._costs = incumbent.costs
        self._prover = prover
        self._known = known
        self._actions: dict[str, int] = {}
        self._alternatives: dict[Plan, int] = {}
        self._conflicts: dict[Conflict, int] = {}
        self._inequalities: dict[Inequality, int] = {}
        self._given: dict[Row, int] = {}
        self._given_lines: list[list[Any]] = []
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
            "bounds": given_bounds(task),
            "given": self._given_lines,
            **self._composition(),
            "plans": [{"observations": list(item.observations)} for item in task.candidates],
            "actions": list(self._actions),
            "alternatives": [[self._actions[name] for name in plan] for plan in self._alternatives],
            "conflicts": self._conflict_lines,
            "pairs": [[min(pair), max(pair), number] for pair, number in self._pairs.items()],
            "inequalities": self._inequality_lines,
        }

    def _composition(self) -> Json:
        """What costs are made of that are not numbers of their own, and what these numbers are.

        Where distances from initial costs count, a cost made of several numbers is one besides.
        """
        structure, actions = self._task.structure, self._task.case.actions
        names, made = structure.parameters, {}
        for action, parts in zip(actions, structure.parts, strict=True):
            own = {names[parameter]: times for parameter, times in parts}
            if own != {action: 1}:
                made[action] = own
        link_of = {structure.parts[action]: names[number] for number, action in structure.links}
        parts_of = zip(actions, structure.parts, strict=True)
        return {
            "made": made,
            "links": {action: link_of[parts] for action, parts in parts_of if parts in link_of},
            "values": {
                name: value
                for name, value in zip(names, self._costs, strict=True)
                if name not in self._task.action_number
            },
        }

    def _rows(self, rows: Iterable[tuple[Row, int]]) -> list[Json]:
        """Rows that plans induce, or that hold in any case; bounds go without saying."""
        found: list[Json] = []
        for row, times in rows:
            kind = next((known.given[row] for known in self._known if row in known.given), None)
            if not times or (kind == BOUND and row not in self._task.limit_rows):
                continue
            if kind is not None:
                found.append({"times": times, "given": self._known_row(row, kind)})
            else:
                owners = sorted([plan, alt] for plan, alt in self._owners(row).items())
                found.append({"times": times, "of": owners})
        return found

    def _known_row(self, row: Row, kind: str) -> int:
        """The number of a row that holds in any case: numbers of costs, the most, and why."""
        if row not in self._given:
            self._given[row] = len(self._given_lines)
            names, (coefficients, margin) = self._task.parameters, row
            line = {names[parameter]: value for parameter, value in coefficients}
            self._given_lines.append([line, -margin, kind])
        return self._given[row]

    def _owners(self, row: Row) -> Mapping[int, int]:
        """The plans that induce a row, each with the number of an alternative that shows it."""
        found: dict[int, int] = {}
        for known in self._known:
            if known.knows(row):
                for plan in sorted(known.inducing_plans(row) - found.keys()):
                    found[plan] = self._alternative(known.alternative(plan, row))
        assert found, "a proof rests on a row that nobody knows"
        return found

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
