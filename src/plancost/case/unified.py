"""Problems and plans of the library unified-planning: written as PDDL, and back with costs.

PDDL cannot spell all names of the library. What it can spell is kept; anything else gets a word
that follows from its name alone, so that it is the same in all problems and leads back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from plancost.errors import InputError
from plancost.values import shown

_PLAIN = re.compile(r"[a-z][a-z0-9_-]*")
_UNKNOWN = 1
"""The cost of an action that was not learned."""


def is_unified(value: object) -> bool:
    """Whether a problem or a plan is one of the library unified-planning."""
    return type(value).__module__.partition(".")[0] == "unified_planning"


def written(
    problems: Mapping[str, Any], plans: Sequence[tuple[str, Any]]
) -> tuple[str, dict[str, str], list[tuple[str, Any]]]:
    """The one domain of these problems of the library, the problems, and the plans, as texts."""
    from unified_planning.exceptions import UPException

    writers, domains, texts = {}, {}, {}
    for name, problem in problems.items():
        if not is_unified(problem):
            raise InputError(f"{name} is no problem of unified-planning, as others are")
        try:
            writers[name] = _writer(problem)
            domains[name] = writers[name].get_domain()
            texts[name] = writers[name].get_problem()
        except (UPException, NotImplementedError, AssertionError) as error:
            raise InputError(f"{name} cannot be written as PDDL: {error}") from error
    (first, domain), *others = domains.items()
    for name, own in others:
        if own != domain:
            raise InputError(f"{name} is of another domain than {first}: its actions differ")
    return domain, texts, [(name, _plan(writers[name], plan)) for name, plan in plans]


def unified_plan(problem: Any, actions: Sequence[str]) -> Any:
    """A plan for a problem of unified-planning, of actions as a result or prediction names them."""
    from unified_planning.plans import ActionInstance, SequentialPlan

    known = _by_word(problem)
    steps = []
    for name in actions:
        action, objects = _items(name, known)
        if action not in problem.actions:
            raise InputError(f"this problem has no action {shown(name)}")
        given = tuple(map(problem.environment.expression_manager.ObjectExp, objects))
        steps.append(ActionInstance(action, given))
    return SequentialPlan(steps, problem.environment)


def priced_problem(problem: Any, costs: Mapping[str, int]) -> Any:
    """A copy of a problem of unified-planning in which these costs are what is to be minimised."""
    from unified_planning.model import Fluent
    from unified_planning.model.metrics import MinimizeActionCosts

    copy = problem.clone()
    copy.clear_quality_metrics()
    environment, known, fluents = copy.environment, _by_word(copy), {}
    for action in copy.actions:
        name = f"cost-{action.name}"
        while copy.has_name(name):
            name += "-"
        number = environment.type_manager.IntType()
        fluents[action] = Fluent(name, number, action.parameters, environment)
        copy.add_fluent(fluents[action], default_initial_value=_UNKNOWN)
    priced = [(*_items(name, known), cost) for name, cost in costs.items()]
    if not any(action in fluents for action, _, _ in priced):
        raise InputError("these costs are of another domain: none is of an action of this problem")
    for action, objects, cost in priced:
        if action in fluents and cost != _UNKNOWN:
            copy.set_initial_value(fluents[action](*objects), cost)
    terms = {action: fluent(*action.parameters) for action, fluent in fluents.items()}
    copy.add_quality_metric(MinimizeActionCosts(terms, environment=environment))
    return copy


def _writer(problem: Any) -> Any:
    """What writes a problem, and its plans, with our words."""
    from unified_planning.io import PDDLWriter

    copy = problem.clone()
    copy.name = "task"  # the library calls the domain after the problem
    costs = [metric for metric in copy.quality_metrics if metric.is_minimize_action_costs()]
    copy.clear_quality_metrics()
    for metric in costs:
        copy.add_quality_metric(metric)
    writer = PDDLWriter(copy, needs_requirements=False, rewrite_bool_assignments=True)
    named = [*copy.actions, *copy.fluents, *copy.all_objects]
    types = [own for own in copy.user_types if own.name != "object"]
    writer.otn_renamings |= {item: _word(item.name) for item in (*named, *types)}
    return writer


def _plan(writer: Any, plan: Any) -> Any:
    if not is_unified(plan):
        return plan
    try:
        return writer.get_plan(plan)
    except NotImplementedError:
        kind = type(plan).__name__
        raise InputError(f"a plan must be a SequentialPlan, not a {kind}") from None


def _by_word(problem: Any) -> dict[str, Any]:
    """Actions and objects by our words for them."""
    return {_word(item.name): item for item in (*problem.actions, *problem.all_objects)}


def _items(name: str, known: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """The action and the objects of a ground action; None: one of them is not known."""
    action, *objects = [known.get(word) for word in name.strip("()").split()] or [None]
    is_action = len(getattr(action, "parameters", ())) == len(objects) and None not in objects
    return (action, objects) if is_action else (None, [])


def _word(name: str) -> str:
    """The name itself if PDDL can spell it, or else a word that tells it from all others."""
    from unified_planning.io.pddl_writer import PDDL3_KEYWORDS, PDDL_PLUS_KEYWORDS

    if _PLAIN.fullmatch(name) and name not in PDDL3_KEYWORDS | PDDL_PLUS_KEYWORDS:
        return name
    readable = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    start = "" if readable[:1].isalpha() else "x"
    return f"{start}{readable}_{sha256(name.encode()).hexdigest()[:8]}"
