"""What a learning run says, held against the truth: a list of all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from brute_force import BruteForce, ContradictionError
from plancost.api import learn
from plancost.case.read import read_case
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.learn.outcome import Learned, Verdict
from plancost.learn.run import learn_costs
from plancost.progress import silent
from plancost.result.model import Result
from written_tasks import Question, Written, same_actions


def wrong_in_run(force: BruteForce, seconds: float = 60.0) -> list[str]:
    """Learn, and say what is wrong with the answer; TooLargeError if nobody knows."""
    try:
        expected = force.truth
    except ContradictionError:
        expected = None
    try:
        learned = learn_costs(force.case, force.options, Clock(seconds), silent, None)
    except InputError as error:
        return [] if expected is None else [f"refused: {error}"]
    if expected is None:
        return ["nothing keeps to what is known, but costs were found"]
    return wrong_in(force, learned)


def wrong_in(force: BruteForce, learned: Learned) -> list[str]:
    """All that the truth contradicts in an answer, and all that an unhurried run left open."""
    found = [*_wrong_costs(force, learned), *wrong_verdicts(force, learned.costs, learned.verdicts)]
    found += _wrong_bounds(force, learned)
    if learned.ending in ("done", "none exists"):
        found += _left_open(force, learned)
    elif learned.ending not in ("time limit", "gave up"):
        found.append(f"ended by {learned.ending}: {learned.notes}")
    return found


def wrong_verdicts(
    force: BruteForce, costs: tuple[int, ...], verdicts: tuple[Verdict, ...]
) -> Iterator[str]:
    """What the check says of each observation, against the definitions."""
    truths = force.optimal(costs)
    if len(verdicts) != len(truths):
        yield f"{len(verdicts)} verdicts about {len(truths)} observations"
    for seen, verdict, truth in zip(force.case.observations, verdicts, truths, strict=False):
        if verdict.cost != force.case.cost(seen.actions, costs):
            yield f"{seen.name} does not cost {verdict.cost}"
        if verdict.optimal not in (None, truth):
            yield f"{seen.name} is optimal: {truth}, not {verdict.optimal}"
        if verdict.optimal_cost not in (None, force.cheapest(seen, costs)):
            yield f"the cheapest plan for {seen.name} does not cost {verdict.optimal_cost}"


def confirmed_weight(force: BruteForce, learned: Learned) -> int:
    """How many observations the check confirmed, with their counts."""
    pairs = zip(force.case.observations, learned.verdicts, strict=True)
    return sum(seen.count for seen, verdict in pairs if verdict.optimal)


def _wrong_costs(force: BruteForce, learned: Learned) -> Iterator[str]:
    if len(learned.costs) != len(force.case.actions) or min(learned.costs, default=1) < 1:
        yield f"costs are {learned.costs}"
    elif learned.ending != "none exists" and not force.keeps_to_rules(
        learned.costs, learned.parameters
    ):
        yield f"costs {learned.costs} break bounds, totals or what they are made of"


def _wrong_bounds(force: BruteForce, learned: Learned) -> Iterator[str]:
    truth, weight = force.truth, confirmed_weight(force, learned)
    if learned.ending == "none exists":
        if force.options.solution != "icf" or truth.all_optimal:
            yield "an answer exists"
        return
    if not weight <= truth.most <= learned.upper_bound:
        yield f"{weight} optimal, at most {learned.upper_bound}: the truth is {truth.most}"
    second = learned.second
    if second is None:
        return
    if second.value != force.second(learned.costs):
        yield f"second objective {second.value}, not {force.second(learned.costs)}"
    if weight == truth.most and second.lower_bound > truth.second:
        yield f"second objective at least {second.lower_bound}: the truth is {truth.second}"
    claimed = [number for number, claim in enumerate(learned.claimed) if claim]
    if second.least_for_set and second.value != force.least_for(claimed):
        yield f"{second.value} is not least for its set: {force.least_for(claimed)}"


def _left_open(force: BruteForce, learned: Learned) -> Iterator[str]:
    truth, weight = force.truth, confirmed_weight(force, learned)
    if not learned.verified and learned.ending == "done":
        yield "not verified"
    if force.options.solution == "icf" and not truth.all_optimal:
        if learned.ending != "none exists":
            yield "it is not said that none exists"
        return
    if not weight == truth.most == learned.upper_bound:
        yield f"{weight} of at most {learned.upper_bound} optimal, the most are {truth.most}"
    elif learned.second is None or learned.second.value != truth.second:
        yield f"second objective {learned.second}: the truth is {truth.second}"
    elif not learned.second.proved:
        yield f"second objective {learned.second} is not proved"


def wrong_in_result(force: BruteForce, result: Result) -> list[str]:
    """The same of a `Result`, whose observations come in any order."""
    costs = tuple(result.costs[name] for name in force.case.actions)
    found = []
    weights = [seen.count for seen in force.case.observations]
    optimal = force.optimal(costs)
    weight = sum(count for count, is_optimal in zip(weights, optimal, strict=True) if is_optimal)
    if (result.plans, result.optimal_plans) != (sum(weights), weight):
        found.append(f"{result.optimal_plans} of {result.plans}: it is {weight} of {sum(weights)}")
    if sorted(result.costs) != sorted(force.case.actions):
        found.append("costs of other actions")
    truth = force.truth
    if result.ending == "none exists":
        is_right = force.options.solution == "icf" and not truth.all_optimal
        return found if is_right else [*found, "an answer exists"]
    if result.optimal_plans > truth.most or result.upper_bound < truth.most:
        found.append(f"{result.optimal_plans}..{result.upper_bound}: the truth is {truth.most}")
    if result.ending != "done":
        return found
    if not (result.verified and result.proved):
        found.append("not proved")
    second = result.secondary
    if second is None or not second.proved or second.value != truth.second:
        found.append(f"{second}: the truth is {truth.second}")
    return found


def wrong_in_groups(force: BruteForce, result: Result) -> list[str]:
    """The same of a result with groups, each of which is a case of its own."""
    if not result.groups:
        return wrong_in_result(force, result)
    found = []
    for part in result.groups:
        name = None if part.group == "(none)" else part.group
        seen = tuple(one for one in force.case.observations if one.group == name)
        alone = BruteForce(replace(force.case, observations=seen), force.options)
        found += [f"group {part.group}: {words}" for words in wrong_in_result(alone, part)]
    return found


def wrong_in_folder(written: Written, question: Question, folder: Path) -> list[str]:
    """Write a case, read it, learn, and compare with what was made by hand."""
    path, more = written.write(folder)
    case = read_case(path, **more)
    by_hand = same_actions(written.case, case.actions)
    by_hand = replace(by_hand, costs=question.model(case.actions, written.initial))
    force = BruteForce(by_hand, question.options)
    expected = True
    try:
        names = by_hand.groups()
        for name in names:
            seen = tuple(one for one in by_hand.observations if one.group == name)
            _ = BruteForce(replace(by_hand, observations=seen), question.options).truth
    except ContradictionError:
        expected = False
    try:
        result = learn(case, **question.keywords)
    except InputError as error:
        return [f"refused: {error}"] if expected else []
    return wrong_in_groups(force, result) if expected else ["nothing keeps to what is known"]
