"""A RESULT.json against the reference: nothing in it may be wrong, whatever happened to the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from benchmarks.soak.findings import Finding, Wrong
from benchmarks.soak.questions import Question
from benchmarks.soak.reference import MISSED, Reference, Unit
from plancost.observations.sas import SasTask
from support.adding_up import is_contradiction, sum_of_json

Json = dict[str, Any]


def check_result(
    question: Question, result: Json, random: Random, *, expect_proof: bool
) -> Iterator[Finding]:
    """All that is wrong with a result; `expect_proof` if nothing kept it from being the best."""
    try:
        texts = list(_problems(question, result, random))
    except (KeyError, TypeError, ValueError) as error:
        texts = [f"RESULT.json cannot be read: {error!r}"]
    yield from (Finding(Wrong.ANSWER, text) for text in texts)
    if expect_proof and not texts:
        for text in _weak(question, result):
            yield Finding(Wrong.WEAK, text)


def check_observations(question: Question, result: Json) -> Iterator[Finding]:
    """What is wrong with what is said about single plans, as ``verify --json`` does."""
    groups = result.get("groups") or [{"name": None, "costs": result["costs"]}]
    for group in groups:
        name, costs = group["name"], group["costs"]
        by_column = name is not None and "group" in question.columns
        reference = question.reference(sorted(costs), *([name] if by_column else []))
        items = [item for item in result["observations"] if item.get("group") == name]
        for text in _observations(question, reference, costs, items):
            if name is None or by_column or not text.endswith("is missing"):
                yield Finding(Wrong.ANSWER, text)


def _weak(question: Question, result: Json) -> Iterator[str]:
    if result.get("failures"):
        yield f"something failed by itself: {result['failures']}"
    if not result["verified"]:
        yield "not every plan was checked"
    ideal_or_not = question.concept.solution != "icf" or result.get("exists")
    if question.alternatives == "exact" and question.choose == "least" and ideal_or_not:
        if not result["proved"]:
            yield "the number of optimal plans is not proven"
        elif question.groups == 1 and not result["secondary"]["proved"]:
            yield "the second objective is not proven"
    if question.alternatives == "exact" and result.get("exists", True) is None:
        yield "whether ideal costs exist is not decided"


def _problems(question: Question, result: Json, random: Random) -> Iterator[str]:
    if result["format"] != 1:
        yield f"format {result['format']}"
    if result["plans"] != sum(item.count for item in question.case.seen):
        yield f"plans: {result['plans']}"
    optimal = sum(item["count"] for item in result["observations"] if item["optimal"])
    if result["optimal_plans"] != optimal:
        yield f"optimal_plans is {result['optimal_plans']}, but {optimal} are called optimal"
    if result["verified"] != all(i["optimal"] is not None for i in result["observations"]):
        yield "verified does not say whether every plan was checked"
    if result["proved"] != (result["optimal_plans"] == result["upper_bound"]):
        yield "proved, but the bound is not reached (or the other way round)"
    groups = result.get("groups")
    if not groups:
        yield from _one_function(question, result, random)
    elif question.groups > 1:
        yield from _groups_found(question, result)
    else:
        yield from _groups_named(question, result)


def _one_function(question: Question, result: Json, random: Random) -> Iterator[str]:
    costs = result["costs"]
    yield from _actions(question, costs, question.case.useful_actions)
    reference = question.reference(sorted(costs))
    if reference.is_contradictory:
        yield "an answer, though what is known contradicts itself"
        return
    yield from _observations(question, reference, costs, result["observations"])
    keeps = reference.admits(costs)
    said = "are required and not optimal" if keeps and MISSED in keeps else "do not keep to"
    if keeps is not None and not any(said in note for note in result["notes"]):
        yield keeps
    yield from _objectives(reference, result, keeps=keeps is None)
    if result["solution"] == "icf":
        yield from _ideal(question, reference, result)
    if result.get("ranges") and result["secondary"]["proved"]:
        yield from _ranges(reference, result, random)


def _actions(question: Question, costs: Mapping[str, int], needed: list[str]) -> Iterator[str]:
    known = {action.name for action in question.case.world.actions}
    for name in sorted(set(costs) - known):
        yield f"there is no action {name}"
    for name in sorted(set(needed) - set(costs)):
        yield f"{name} has no cost"
    for name, cost in costs.items():
        if not isinstance(cost, int) or cost < 1:
            yield f"{name} costs {cost}"


def _observations(
    question: Question, reference: Reference, costs: Mapping[str, int], items: list[Json]
) -> Iterator[str]:
    """Each plan: optimal or not, what it costs, the cheapest, and the reason."""
    by_files = {(item["problem"], item["plan"]): item for item in items}
    for number, seen in enumerate(reference.task.case.observations):
        item = by_files.get((str(seen.problem_file), str(seen.plan_file)))
        if item is None:
            yield f"{seen.plan_file} is missing"
            continue
        cost = sum(costs[name] for name in seen.plan)
        if (item["count"], item["cost"]) != (seen.count, cost):
            yield f"{seen.plan_file} was seen {seen.count} times and costs {cost}: {item}"
        optimal = reference.is_optimal(number, costs)
        if item["optimal"] not in (None, optimal):
            yield f"{seen.plan_file}: optimal is {item['optimal']}, but that is {optimal}"
        cheapest = reference.cheapest(number, costs)
        if item["optimal_cost"] not in (None, cheapest):
            yield f"{seen.plan_file}: the cheapest plan costs {cheapest}: {item['optimal_cost']}"
        if item.get("rival") is not None:
            yield from _rival(reference, number, costs, item)
        if item.get("explanation") is not None:
            yield from _explanation(reference, number, items, item)


def _rival(
    reference: Reference, number: int, costs: Mapping[str, int], item: Json
) -> Iterator[str]:
    """It is a plan of the task and costs what it is said to."""
    seen = reference.task.case.observations[number]
    task = reference.task.case.tasks[seen.task].sas
    if not _solves(task, item["rival"]):
        yield f"{item['plan']}: the rival is no plan"
    if item["rival_cost"] != sum(costs[name] for name in item["rival"]):
        yield f"{item['plan']}: the rival does not cost {item['rival_cost']}"


def _solves(task: SasTask, plan: Iterable[str]) -> bool:
    """Whether a plan leads to the goal; several operators may have one name."""
    states = {task.initial_state}
    for name in plan:
        states = {
            task.apply(operator, state)
            for operator in task.operators
            for state in states
            if operator.name == name and task.holds(operator.preconditions, state)
        }
    return any(map(task.is_goal, states))


def _redundant(reference: Reference, number: int, item: Json) -> Iterator[str]:
    """These are steps of this very plan, and the rest is a plan too."""
    seen = reference.task.case.observations[number]
    steps = [step - 1 for step in item["explanation"]["redundant_steps"]]
    if [seen.plan[step] for step in steps] != item["explanation"]["redundant"]:
        yield f"{item['plan']}: these are not its steps {item['explanation']['redundant_steps']}"
    rest = [name for step, name in enumerate(seen.plan) if step not in steps]
    if not steps or not _solves(reference.task.case.tasks[seen.task].sas, rest):
        yield f"{item['plan']} cannot do without {item['explanation']['redundant']}"


def _explanation(reference: Reference, number: int, items: list[Json], item: Json) -> Iterator[str]:
    """What is said to be impossible is."""
    reason = item["explanation"]["reason"]
    own = reference.unit_of(number)
    if reason == "redundant":
        yield from _redundant(reference, number, item)
    certificate = item["explanation"].get("certificate")
    if certificate is not None and not is_contradiction(sum_of_json(certificate)):
        yield f"{item['plan']}: the certificate does not add up"
    if reason == "redundant" and own[2] == 1 and reference.feasible(frozenset([own])):
        yield f"{item['plan']} can be optimal, though it is called redundant"
    if reason == "never optimal" and reference.feasible(frozenset([own])):
        yield f"{item['plan']} can be optimal"
    if reason == "in conflict":
        chosen = _units(reference, item["explanation"]["plans"]) | {own}
        if reference.feasible(chosen):
            yield f"{item['plan']} is in no conflict with {item['explanation']['plans']}"
    if reason == "not proven" and item["explanation"].get("possible"):
        optimal = [i["plan"] for i in items if i["optimal"] and i.get("group") == item.get("group")]
        if not reference.feasible(_units(reference, optimal) | {own}):
            yield f"{item['plan']} cannot be optimal as well"


def _units(reference: Reference, files: list[str]) -> frozenset[Unit]:
    names = [str(seen.plan_file) for seen in reference.task.case.observations]
    return frozenset(reference.unit_of(names.index(file)) for file in files)


def _objectives(reference: Reference, result: Json, *, keeps: bool) -> Iterator[str]:
    most, least = reference.best
    secondary = result["secondary"]
    if result["upper_bound"] < most:
        yield f"the bound is {result['upper_bound']}, but {most} plans can be optimal"
    if keeps and result["optimal_plans"] > most:
        yield f"{result['optimal_plans']} optimal plans, but at most {most} can be"
    if result["proved"] and result["optimal_plans"] != most:
        yield f"{result['optimal_plans']} plans are called proven, but it is {most}"
    value = reference.secondary(result["costs"])
    if secondary["value"] != value:
        yield f"the second objective is {value}, not {secondary['value']}"
    if secondary["lower_bound"] > least:
        yield f"the second objective can be {least}, below {secondary['lower_bound']}"
    if secondary["proved"] and not (result["proved"] and value == least):
        yield f"the second objective is called proven at {value}, but it is {least}"


def _ideal(question: Question, reference: Reference, result: Json) -> Iterator[str]:
    if result["exists"] not in (None, reference.ideal):
        yield f"exists is {result['exists']}, but that is {reference.ideal}"
    if result.get("conflict") and reference.feasible(_units(reference, result["conflict"])):
        yield f"there is no conflict among {result['conflict']}"


def _ranges(reference: Reference, result: Json, random: Random) -> Iterator[str]:
    chosen = _units(reference, [i["plan"] for i in result["observations"] if i["optimal"]])
    names = sorted(name for name, found in result["ranges"].items() if found["proved"])
    for name in random.sample(names, min(3, len(names))):
        found = result["ranges"][name]
        right = reference.range_of(name, chosen, result["secondary"]["value"])
        if (found["least"], found["greatest"]) != right:
            yield f"the range of {name} is {right}: {found}"


def _groups_found(question: Question, result: Json) -> Iterator[str]:
    """Groups that were looked for share the case, and each has its own costs."""
    most = None
    for group in result["groups"]:
        costs = group["costs"]
        yield from _actions(question, costs, question.case.useful_actions)
        reference = question.reference(sorted(costs))
        if most is None:
            most = reference.most_in_groups(question.groups)
        items = [item for item in result["observations"] if item["group"] == group["name"]]
        for text in _observations(question, reference, costs, items):
            if not text.endswith("is missing"):
                yield text
        yield from _of_group(reference, group, items)
    assert most is not None
    if result["upper_bound"] < most or result["optimal_plans"] > most:
        yield f"{most} plans can be optimal in groups: {result['optimal_plans']} found"
    if result["proved"] and result["optimal_plans"] != most:
        yield f"{result['optimal_plans']} plans in groups are called proven, but it is {most}"


def _of_group(reference: Reference, group: Json, items: list[Json]) -> Iterator[str]:
    """The costs of a group are the least for the plans that are optimal in it."""
    optimal = [item for item in items if item["optimal"]]
    if group["optimal_plans"] != sum(item["count"] for item in optimal):
        yield f"{group['name']}: optimal_plans is {group['optimal_plans']}"
    chosen = _units(reference, [item["plan"] for item in optimal])
    least, secondary = reference.least_secondary(chosen), group["secondary"]
    if secondary["value"] != reference.secondary(group["costs"]):
        yield f"{group['name']}: the second objective is not {secondary['value']}"
    if least is None:
        yield f"{group['name']}: these plans cannot be optimal together"
    elif secondary["lower_bound"] > least or (secondary["proved"] and secondary["value"] != least):
        yield f"{group['name']}: the second objective can be {least}: {secondary}"


def _groups_named(question: Question, result: Json) -> Iterator[str]:
    """Groups that the manifest names are cases of their own."""
    names = [group["name"] for group in result["groups"]]
    if sorted(names) != sorted(question.names_of_groups):
        yield f"the groups are {names}"
        return
    most = 0
    for group in result["groups"]:
        costs = group["costs"]
        reference = question.reference(sorted(costs), group["name"])
        if reference.is_contradictory:
            yield f"{group['name']}: an answer, though what is known contradicts itself"
            return
        best, least = reference.best
        most += best
        items = [item for item in result["observations"] if item["group"] == group["name"]]
        yield from _observations(question, reference, costs, items)
        yield from _of_group(reference, group, items)
        if result["proved"] and group["optimal_plans"] != best:
            yield f"{group['name']}: {best} plans can be optimal"
        if result["secondary"]["proved"] and group["secondary"]["value"] != least:
            yield f"{group['name']}: the second objective can be {least}"
    if result["upper_bound"] < most:
        yield f"the bound is {result['upper_bound']}, but {most} plans can be optimal"
    if result["proved"] and result["optimal_plans"] != most:
        yield f"{result['optimal_plans']} plans are called proven, but it is {most}"
