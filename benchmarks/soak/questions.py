"""What is asked about a case: options of ``plancost learn``, as words and as what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from benchmarks.soak.cases import Seen, SmallCase
from benchmarks.soak.reference import Known, Reference
from benchmarks.soak.worlds import Atom
from plancost.learning.problem.concept import Concept, Reorderings, Ties
from plancost.learning.problem.task import LearningTask

Range = tuple[int, int | None]

_EVERYTHING = "everything"
"""The group of all plans, where there are no groups."""


@dataclass
class Question:
    """What is asked about a case: `words` for the command line, and the rest for the reference."""

    case: SmallCase
    concept: Concept
    words: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    alternatives: str = "exact"
    oracle: str = "auto"
    initial: Mapping[str, int] | None = None
    initial_default: int = 1
    bounds: dict[str, Range] = field(default_factory=dict)
    """By pattern."""
    most_cost: int | None = None
    kept: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The positions of the parameters that the cost of a schema depends on."""
    linear: dict[str, tuple[Atom, ...]] = field(default_factory=dict)
    """The features that the cost of a schema is linear in."""
    required: tuple[str, ...] = ()
    """Files of plans that have to be optimal."""
    choose: str = "least"
    factor: Fraction = Fraction(1)
    tolerance: Fraction = Fraction(0)
    soft: bool = False
    groups: int = 1
    ranges: bool = False
    limit_s: float | None = None
    """Seconds for the whole run."""

    @property
    def all_words(self) -> list[str]:
        """The options of ``learn``, with the time limit."""
        limit = [] if self.limit_s is None else ["--time-limit", f"{self.limit_s:g}"]
        return [*self.words, *limit]

    @property
    def is_provable(self) -> bool:
        """Whether ``--certificate`` takes it."""
        exact = self.alternatives == "exact" and self.groups == 1
        problems = [self.case.problems[n] for n in {item.problem for item in self.case.seen}]
        twice = self.concept.ties is Ties.OBSERVED and len(set(problems)) < len(problems)
        return exact and not twice

    @property
    def is_refused(self) -> bool:
        """Costs in the PDDL are to be refined, but they are fractions."""
        return self.case.world.fractional and "--refine" in self.words

    @property
    def options(self) -> list[str]:
        """What is asked, in the words of the table of combinations."""
        concept = self.concept
        strict = concept.solution.value + (" strict" if concept.strict else "")
        known = "cost" in self.columns
        tags = {
            strict: True,
            "reorderings": concept.reorderings is Reorderings.SAME,
            "ties": concept.ties is Ties.OBSERVED,
            "initial costs": self.initial is not None,
            "bounds": bool(self.bounds) or self.most_cost is not None,
            "known, hard": known and not self.soft,
            "known, soft": known and self.soft,
            "tolerance": self.tolerance > 0,
            "shared": bool(self.kept),
            "linear": bool(self.linear),
            "factors": self.factor != 1 or "suboptimality" in self.columns,
            "required": bool(self.required),
            "counts": "count" in self.columns,
            "groups named": "group" in self.columns,
            "groups found": self.groups > 1,
            "choose mean": self.choose == "mean",
            "choose likely": self.choose == "likely",
            "k or no alternatives": self.alternatives != "exact",
            "ranges": self.ranges,
            "least factors": "--least-factors" in self.words,
            "planners": self.oracle in ("fast-downward", "symk") or "--graph-limit" in self.words,
        }
        return [name for name, is_used in tags.items() if is_used]

    @property
    def kind(self) -> str:
        """What stands in the table: the strategy, and what is beyond the paper."""
        if self.groups > 1:
            return "groups that are looked for"
        for name, is_used in (
            ("groups of the manifest", "group" in self.columns),
            ("costs that predict", self.choose != "least"),
            ("required plans", bool(self.required)),
            ("linear costs", bool(self.linear)),
            ("shared costs", bool(self.kept)),
            ("known costs", "cost" in self.columns),
            ("nearly optimal plans", self.factor != 1 or "suboptimality" in self.columns),
            ("bounds", bool(self.bounds) or self.most_cost is not None),
        ):
            if is_used:
                return name
        return {"exact": "exact", "baseline": "baseline"}.get(self.alternatives, "k alternatives")

    @property
    def names_of_groups(self) -> list[str]:
        """The groups of the manifest; one for all without them."""
        if "group" not in self.columns:
            return [_EVERYTHING]
        return list(dict.fromkeys(item.group or _EVERYTHING for item in self.case.seen))

    def reference(self, actions: list[str], group: str = _EVERYTHING) -> Reference:
        """The right answers, over the actions that there are."""

        def keep(item: Seen) -> bool:
            return group == _EVERYTHING or item.group == group

        case = self.case.reference_case(actions, keep)
        seen = [item for item in self.case.seen if keep(item)]
        initial = None
        if self.initial is not None:
            initial = tuple(self.initial.get(n, self.initial_default) for n in case.actions)
        task = LearningTask(
            case,
            self.concept,
            initial,
            tuple(map(self._range, case.actions)),
            factors=tuple(self._factor(item) for item in seen),
        )
        known = tuple(
            Known(number, item.cost - self.tolerance, item.cost + self.tolerance)
            for number, item in enumerate(seen)
            if item.cost is not None and "cost" in self.columns
        )
        parts = {name: self._parts(name) for name in case.actions}
        required = frozenset(n for n, item in enumerate(seen) if item.file in self.required)
        return Reference(task, self.case.plans_of_tasks(), parts, known, self.soft, required)

    def _factor(self, item: Seen) -> Fraction:
        if item.factor is not None and "suboptimality" in self.columns:
            return item.factor
        return self.factor

    def _range(self, action: str) -> Range:
        least, ends = 1, [] if self.most_cost is None else [self.most_cost]
        for pattern, (low, high) in self.bounds.items():
            if all(
                a in ("*", b) for a, b in zip(words_of(pattern), words_of(action), strict=False)
            ):
                least = max(least, low)
                ends += [] if high is None else [high]
        return least, min(ends, default=None)

    def _parts(self, action: str) -> dict[str, int]:
        """A cost of its own, one that others share, or a constant and weights times numbers."""
        schema, *arguments = words_of(action)
        if schema in self.linear:
            world = self.case.world
            value_of = dict(zip(world.parameters[schema], arguments, strict=True))
            found = {f"{schema}: constant": 1}
            for feature in self.linear[schema]:
                term = tuple(value_of.get(word, word) for word in feature)
                found[f"{schema}: {' '.join(feature)}"] = world.values[term]
            return found
        if schema not in self.kept:
            return {action: 1}
        return {f"{schema} {' '.join(arguments[n] for n in self.kept[schema])}": 1}


def words_of(action: str) -> list[str]:
    """The schema and the arguments."""
    return action.strip("()").split()
