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
from plancost.observations.pddl.model import Domain, Problem, split_action, term_text
from plancost.observations.sexpr import Node, head
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
    if schema.cost is None:
        return 0
    amount = schema.cost.amount
    if isinstance(amount, Fraction):
        if not is_count(amount):
            raise InputError(
                f"action '{name}' costs {number_text(amount)}; "
                "a cost must be a whole number of at least 0",
                domain.path,
                schema.cost.effect.line,
            )
        return int(amount)
    term = schema.ground(amount, arguments)
    given = problem.init_values.get(term)
    if given is None:
        raise InputError(
            f":init gives no value to {term_text(term)}, which is the cost of {action_name}",
            problem.path,
        )
    if not is_count(given):
        raise InputError(
            f"{term_text(term)} is {number_text(given)}, which is the cost of {action_name}; "
            "a cost must be a whole number of at least 0",
            problem.path,
        )
    return int(given)


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
            domain_edits.append(_blank(domain.text, schema.effect, "(and)"))
        elif schema.cost is not None:
            domain_edits.append(_blank(domain.text, schema.cost.effect, "(and)"))
    numeric: list[Node] = [entry for entry in problem.init.items if head(entry) == "="]
    if problem.metric is not None:
        numeric.append(problem.metric)
    return (
        apply_edits(domain.text, domain_edits),
        apply_edits(problem.text, [_blank(problem.text, node) for node in numeric]),
    )


def _blank(text: str, node: Node, instead: str = "") -> Edit:
    """Put `instead` and blanks in place of a node; keep its line ends."""
    blanks = _NOT_A_LINE_END.sub(" ", text[node.start : node.end])
    if not blanks[: len(instead)].strip(" "):
        blanks = blanks[len(instead) :]
    return Edit(node.start, node.end, instead + blanks)


def is_count(number: Fraction) -> bool:
    """Whether it is a whole number of at least 0."""
    return number >= 0 and number.denominator == 1


def number_text(number: Fraction) -> str:
    """A number for messages: ``3`` or ``1.5``."""
    return str(number) if number.denominator == 1 else f"{float(number):g}"
