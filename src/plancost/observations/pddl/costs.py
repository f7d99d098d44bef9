"""The costs that a PDDL task states: C̄ of a ground action, and the task without them.

C̄ is read from the ``increase (total-cost)`` effects whether there is a metric or
not. The translator would say something else: it reads unit costs when there is
no metric, and it leaves out every action whose cost has no value in ``:init``,
with or without a metric. Hence `without_costs` for grounding.
"""

from __future__ import annotations

import re
from fractions import Fraction

from plancost.errors import InputError
from plancost.observations.pddl.model import Domain, Problem, split_action
from plancost.observations.sexpr import head
from plancost.observations.text_edits import Edit, apply_edits

_NOT_A_LINE_END = re.compile(r"[^\r\n]")


def initial_cost(domain: Domain, problem: Problem, action_name: str) -> int:
    """C̄ of a ground action such as ``(drive van a b)``.

    1 if no action of the domain has a cost effect, 0 if only this one has none.
    """
    name, arguments = split_action(action_name)
    schema = domain.schemas.get(name)
    if schema is None or len(schema.parameters) != len(arguments):
        raise InputError(f"this domain has no action {action_name}", domain.path)
    if not domain.has_cost_effects:
        return 1
    cost = schema.cost
    if cost is None:
        return 0
    if cost.function is None:
        value = Fraction(0) if cost.value is None else cost.value
        if value < 0 or value.denominator != 1:
            raise InputError(
                f"action '{name}' costs {_decimal(value)}; a cost must be a whole number from 0 on",
                domain.path,
                cost.line,
            )
        return int(value)
    binding = {
        variable: argument
        for (variable, _), argument in zip(schema.parameters, arguments, strict=True)
    }
    term = (cost.function, *(binding.get(argument, argument) for argument in cost.arguments))
    shown = f"({' '.join(term)})"
    given = problem.init_values.get(term)
    if given is None:
        raise InputError(
            f":init gives no value to {shown}, which is the cost of {action_name}", problem.path
        )
    if given < 0 or given.denominator != 1:
        raise InputError(
            f"{shown} is {_decimal(given)}, which is the cost of {action_name}; "
            "a cost must be a whole number from 0 on",
            problem.path,
        )
    return int(given)


def without_metric(problem: Problem) -> str:
    """The problem's text with blanks for ``(:metric ...)``; all lines keep their numbers."""
    return apply_edits(problem.text, _metric_edits(problem))


def without_costs(domain: Domain, problem: Problem) -> tuple[str, str]:
    """The texts of domain and problem with nothing in them about costs, for grounding.

    Cost effects become ``(and)``, as do empty and missing effects, on which the
    translator fails; numeric values and the metric become blanks. So no action is
    left out for want of a cost, and fractions do no harm. Lines keep their numbers.
    """
    domain_edits = []
    for schema in domain.schemas.values():
        if schema.effect is None:
            end = schema.tree.end - 1
            domain_edits.append(Edit(end, end, " :effect (and)"))
        elif not schema.effect.items:
            domain_edits.append(
                _blank(domain.text, schema.effect.start, schema.effect.end, "(and)")
            )
        elif schema.cost is not None:
            domain_edits.append(_blank(domain.text, schema.cost.start, schema.cost.end, "(and)"))
    values = [
        _blank(problem.text, entry.start, entry.end)
        for entry in problem.init.items
        if head(entry) == "="
    ]
    return (
        apply_edits(domain.text, domain_edits),
        apply_edits(problem.text, values + _metric_edits(problem)),
    )


def _metric_edits(problem: Problem) -> list[Edit]:
    return [] if problem.metric_span is None else [_blank(problem.text, *problem.metric_span)]


def _blank(text: str, start: int, end: int, instead: str = "") -> Edit:
    """Put `instead`, and blanks for the rest of the stretch; keep its line ends."""
    blanks = _NOT_A_LINE_END.sub(" ", text[start:end])
    if not blanks[: len(instead)].strip(" "):
        blanks = blanks[len(instead) :]
    return Edit(start, end, instead + blanks)


def _decimal(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):g}"
