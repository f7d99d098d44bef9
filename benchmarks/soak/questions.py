"""Random options of ``plancost learn``, as words and as what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random

from benchmarks.soak.cases import Seen, SmallCase
from benchmarks.soak.reference import Known, Reference
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.task import LearningTask
from plancost.observations.files import MOST_COUNT

Range = tuple[int, int | None]

CONCEPTS = [
    Concept(Solution.MCF),
    Concept(Solution.MCF),
    Concept(Solution.MCF),
    Concept(Solution.SCF),
    Concept(Solution.SCF),
    Concept(Solution.SCF, reorderings=Reorderings.SAME),
    Concept(Solution.SCF, ties=Ties.OBSERVED),
    Concept(Solution.SCF, reorderings=Reorderings.SAME, ties=Ties.OBSERVED),
    Concept(Solution.ICF),
    Concept(Solution.ICF, strict=True),
]
_FACTORS = [Fraction(11, 10), Fraction(4, 3), Fraction(3, 2), Fraction(2)]
_COUNTS = [1, 1, 2, 3]
_LARGE_COUNTS = [1, 2, MOST_COUNT, MOST_COUNT - 1, MOST_COUNT - 2, 10**8 + 7]
_LARGE_INITIAL = 10**4
"""Larger ones are more than the integer programs of the reference can count."""
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
        return self.alternatives == "exact" and self.groups == 1

    @property
    def kind(self) -> str:
        """What stands in the table: the strategy, and what is beyond the paper."""
        if self.groups > 1:
            return "groups that are looked for"
        for name, is_used in (
            ("groups of the manifest", "group" in self.columns),
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
        classes = {name: self._class(name) for name in case.actions}
        return Reference(task, self.case.plans_of(case), classes, known, self.soft)

    def _factor(self, item: Seen) -> Fraction:
        if item.factor is not None and "suboptimality" in self.columns:
            return item.factor
        return self.factor

    def _range(self, action: str) -> Range:
        least, ends = 1, [] if self.most_cost is None else [self.most_cost]
        for pattern, (low, high) in self.bounds.items():
            if all(a in ("*", b) for a, b in zip(_words(pattern), _words(action), strict=False)):
                least = max(least, low)
                ends += [] if high is None else [high]
        return least, min(ends, default=None)

    def _class(self, action: str) -> str:
        schema, *arguments = _words(action)
        if schema not in self.kept:
            return action
        return f"{schema} {' '.join(arguments[n] for n in self.kept[schema])}"


def _words(action: str) -> list[str]:
    return action.strip("()").split()


def draw_question(random: Random, case: SmallCase, folder: Path) -> Question:
    """Options that go together; files that they need are written to the folder."""
    question = Question(case, random.choice(CONCEPTS))
    question.words += _concept_words(question.concept)
    if random.random() < 0.35:
        _refine(random, question, folder)
    beyond = random.random()
    if beyond < 0.5:
        _beyond(random, question, folder)
    elif beyond < 0.6:
        _look_for_groups(random, question)
    elif beyond < 0.7:
        question.alternatives = random.choice(["1", "3", "10", "all", "baseline"])
        question.words += ["--alternatives", question.alternatives]
    _ways(random, question)
    if random.random() < 0.4 and not question.columns:
        question.columns.append("count")
    if "count" in question.columns:
        # The reference adds up soft known costs in floating point, so it takes small counts there.
        counts = _COUNTS if question.soft or random.random() < 0.7 else _LARGE_COUNTS
        seen = tuple(replace(s, count=random.choice(counts)) for s in question.case.seen)
        question.case = replace(question.case, seen=seen)
    return question


def _concept_words(concept: Concept) -> list[str]:
    words = ["--solution", concept.solution.value]
    if concept.strict:
        words.append("--strict")
    if concept.reorderings is Reorderings.SAME:
        words += ["--reorderings", "same"]
    if concept.ties is Ties.OBSERVED:
        words += ["--ties", "observed"]
    return words


def _refine(random: Random, question: Question, folder: Path) -> None:
    if random.random() < 0.5:
        question.words.append("--refine")
        question.initial = {a.name: a.initial_cost for a in question.case.world.actions}
        return
    times = random.choice([1, 1, 1, 1, _LARGE_INITIAL])
    question.initial = {
        name: times * random.randint(0, 5) + random.randint(0, times - 1) % 3
        for name in question.case.useful_actions
    }
    question.initial_default = random.randint(0, 3)
    path = folder / "initial.json"
    path.write_text(json.dumps(question.initial))
    question.words += ["--initial-costs", str(path)]
    question.words += ["--default-cost", str(question.initial_default)]


def _beyond(random: Random, question: Question, folder: Path) -> None:
    """One or two of what the exact learner takes into account."""
    kinds: list[Callable[[Random, Question, Path], None]] = [_bounds, _known_costs, _share]
    if not question.concept.is_strict:
        kinds.append(_suboptimality)
    chosen = random.sample(kinds, random.choice([1, 1, 2]))
    if _share not in chosen and random.random() < 0.3:
        chosen.append(_name_groups)
    for kind in chosen:
        kind(random, question, folder)


def _bounds(random: Random, question: Question, folder: Path) -> None:
    actions = question.case.useful_actions
    if random.random() < 0.5:
        question.most_cost = random.randint(5, 7)
        question.words += ["--max-cost", str(question.most_cost)]
    if random.random() < 0.5:
        name, value = random.choice(actions), random.randint(1, 5)
        question.bounds[name] = (value, value)
        question.words += ["--fix", f"{name}={value}"]
        return
    content: dict[str, Range] = {}
    for name in random.sample(actions, min(len(actions), random.randint(1, 3))):
        least = random.randint(1, 3)
        content[name] = (least, random.choice([None, random.randint(least, 5)]))
    schema, *arguments = _words(random.choice(actions))
    if arguments and random.random() < 0.5:
        # From 1 to 5 goes with all other bounds.
        content[f"({' '.join([schema, *('*' for _ in arguments)])})"] = (1, 5)
    question.bounds |= content
    path = folder / "bounds.json"
    path.write_text(json.dumps(content))
    question.words += ["--bounds", str(path)]


def _known_costs(random: Random, question: Question, folder: Path) -> None:
    true = {action.name: random.randint(1, 4) for action in question.case.world.actions}
    seen = []
    for item in question.case.seen:
        cost = None
        if random.random() < 0.6:
            cost = Fraction(sum(true[name] for name in item.plan))
            cost += Fraction(random.choice([0, 0, 0, 2, 1]), 2)
        seen.append(replace(item, cost=cost))
    question.case = replace(question.case, seen=tuple(seen))
    question.columns.append("cost")
    question.soft = random.random() < 0.5
    if question.soft:
        question.words.append("--soft-costs")
    if random.random() < 0.5:
        question.tolerance = random.choice([Fraction(1, 2), Fraction(1)])
        question.words += ["--cost-tolerance", str(float(question.tolerance))]


def _share(random: Random, question: Question, folder: Path) -> None:
    parameters = question.case.world.parameters
    if random.random() < 0.3:
        question.kept = dict.fromkeys(parameters, ())
        question.words += ["--share", "schema"]
        return
    schema = random.choice(sorted(parameters))
    names = parameters[schema]
    positions = tuple(sorted(random.sample(range(len(names)), random.randint(0, len(names)))))
    question.kept = {schema: positions}
    question.words += ["--share", " ".join([schema, *(names[n] for n in positions)])]


def _suboptimality(random: Random, question: Question, folder: Path) -> None:
    if random.random() < 0.7:
        question.factor = random.choice(_FACTORS)
        question.words += ["--suboptimality", str(question.factor)]
        return
    factors = [None, Fraction(1), *_FACTORS]
    seen = tuple(replace(item, factor=random.choice(factors)) for item in question.case.seen)
    question.case = replace(question.case, seen=seen)
    question.columns.append("suboptimality")


def _name_groups(random: Random, question: Question, folder: Path) -> None:
    names = ["north", "south"]
    seen = tuple(replace(item, group=random.choice(names)) for item in question.case.seen)
    question.case = replace(question.case, seen=seen)
    question.columns.append("group")


def _look_for_groups(random: Random, question: Question) -> None:
    if random.random() < 0.3:
        _name_groups(random, question, Path())
        return
    question.groups = random.choice([2, 2, 3])
    question.words += ["--groups", str(question.groups)]


def _ways(random: Random, question: Question) -> None:
    """How the answer is found; nothing of it may change the answer."""
    oracles = ["auto", "graph", "fast-downward", "symk"]
    (question.oracle,) = random.choices(oracles, [70, 12, 12, 6])
    planners = question.oracle in ("fast-downward", "symk")
    if question.oracle != "auto":
        question.words += ["--oracle", question.oracle]
    elif random.random() < 0.1:
        planners = True
        question.words += ["--graph-limit", str(random.choice([1, 4]))]
    listing = question.alternatives not in ("exact", "baseline")
    if question.oracle == "symk" or listing or (planners and question.concept.is_strict):
        # SymK often does not come to its end where it has listed all plans.
        question.limit_s = random.choice([4.0, 8.0])
    question.words += ["--jobs", random.choice(["1", "1", "2"])]
    if random.random() < 0.3:
        question.words += ["--seed", str(random.randrange(1000))]
    if random.random() < 0.2:
        question.words.append("--no-cache")
    plain = question.groups == 1 and "group" not in question.columns
    if question.alternatives == "exact" and plain and not planners and random.random() < 0.2:
        question.ranges = True
        question.words.append("--ranges")
    if question.alternatives == "exact" and plain and not planners and random.random() < 0.1:
        question.words.append("--least-factors")
    if question.alternatives == "exact" and not planners and random.random() < 0.05:
        question.words += ["--top-k-seed", "2"]
        question.limit_s = 8.0
