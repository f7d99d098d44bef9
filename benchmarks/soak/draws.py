"""Random options of ``plancost learn`` that go together."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

from benchmarks.soak.cases import SmallCase
from benchmarks.soak.questions import Question, Range, words_of
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.observations.files import MOST_COUNT

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
    Concept(Solution.ICF, strict=True, reorderings=Reorderings.SAME, ties=Ties.OBSERVED),
]
_FACTORS = [Fraction(11, 10), Fraction(4, 3), Fraction(3, 2), Fraction(2)]
_COUNTS = [1, 1, 2, 3]
_LARGE_COUNTS = [1, 2, MOST_COUNT, MOST_COUNT - 1, MOST_COUNT - 2, 10**8 + 7]
_LARGE_INITIAL = 10**4
"""Larger ones are more than the integer programs of the reference can count."""

Draw = Callable[[Random, Question, Path], None]


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
    if random.random() < 0.4:
        question.columns.append("count")
        # The reference adds up known costs in floating point, so it takes small counts there.
        few = "cost" in question.columns or random.random() < 0.7
        counts = _COUNTS if few else _LARGE_COUNTS
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
    drives = any(step.startswith("(drive") for item in question.case.seen for step in item.plan)
    if random.random() < 0.5 and (drives or not question.case.world.fractional):
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
    """One to four of what the exact learner takes into account."""
    kinds: list[Draw] = [_bounds, _known_costs, _share, _require]
    if random.random() < 0.3:
        kinds.append(_name_groups)
    if question.case.world.features:
        kinds.append(_linear)
    if not question.concept.is_strict:
        kinds.append(_suboptimality)
    kinds.append(_choose)  # it looks at the others
    wanted = random.sample(kinds, random.choice([1, 2, 2, 3, 4]))
    if random.random() < 0.1:
        wanted = [_choose]
    for kind in kinds:
        if kind in wanted and not any(kind in _NOT_WITH.get(other, ()) for other in wanted):
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
    schema, *arguments = words_of(random.choice(actions))
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
    if random.random() < 0.3 and not question.linear:
        question.kept = dict.fromkeys(parameters, ())
        question.words += ["--share", "schema"]
        return
    schema = random.choice(sorted(parameters))
    if schema in question.linear:
        return
    names = parameters[schema]
    positions = tuple(sorted(random.sample(range(len(names)), random.randint(0, len(names)))))
    question.kept = {schema: positions}
    question.words += ["--share", " ".join([schema, *(names[n] for n in positions)])]


def _linear(random: Random, question: Question, folder: Path) -> None:
    features = question.case.world.features
    for schema in random.sample(sorted(features), random.randint(1, len(features))):
        if schema not in question.kept:
            own = features[schema]
            chosen = tuple(sorted(random.sample(own, random.randint(1, len(own)))))
            question.linear[schema] = chosen
            texts = " ".join(f"({' '.join(feature)})" for feature in chosen)
            question.words += ["--linear", f"{schema} {texts}"]


def _require(random: Random, question: Question, folder: Path) -> None:
    files = [item.file for item in question.case.seen]
    question.required = tuple(random.sample(files, random.choice([1, 1, min(2, len(files))])))
    for file in question.required:
        question.words += ["--require", file]


def _choose(random: Random, question: Question, folder: Path) -> None:
    """Likely costs are told nothing but plans; the mean takes more."""
    if question.soft:
        return
    plain = question.concept.solution is not Solution.ICF and _TOLD.isdisjoint(question.options)
    question.choose = "likely" if plain and random.random() < 0.5 else "mean"
    question.words += ["--choose", question.choose]
    question.limit_s = 20.0


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
    plain = plain and question.choose == "least"
    if question.alternatives == "exact" and plain and not planners and random.random() < 0.2:
        question.ranges = True
        question.words.append("--ranges")
    if question.alternatives == "exact" and plain and not planners and random.random() < 0.1:
        question.words.append("--least-factors")
    if question.alternatives == "exact" and not planners and random.random() < 0.05:
        question.words += ["--top-k-seed", "2"]
        question.limit_s = 8.0


_TOLD = {"bounds", "known, hard", "shared", "linear", "factors"}
"""What likely costs take no account of."""
_NOT_WITH: dict[Draw, tuple[Draw, ...]] = {
    _name_groups: (_share, _linear, _require, _choose),
    _require: (_choose,),
}
"""Options that plancost refuses together: if both are drawn, those of the list are left out."""
