"""Reading one ``(:action ...)``: its parameters, its cost and, if simple, its literals.

Costs are ``(increase (total-cost) X)`` at the top level of the effect, with a
number or a function term for X. Anything more is numeric planning, where the
cost of a ground action is not one number; it is refused here, by name and line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from plancost.observations.pddl.model import CostExpression, Literal, Schema, StripsSchema
from plancost.observations.pddl.typed_lists import TypeNames, read_names
from plancost.observations.sexpr import Atom, Node, PddlError, SList, all_lists, head, render, words

NUMERIC_EFFECTS = frozenset({"increase", "decrease", "assign", "scale-up", "scale-down"})
_COMPARISONS = frozenset({"<", ">", "<=", ">="})
_ARITHMETIC = frozenset({"+", "-", "*", "/"})
_CONNECTIVES = frozenset({"and", "or", "not", "imply", "forall", "exists", "when", "preference"})
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")


def read_number(text: str) -> Fraction | None:
    """The value of ``12``, ``-3`` or ``1.5``, or None if it is not a number."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except ValueError:  # Python refuses to convert numbers of thousands of digits
        return None


def read_action(
    tree: SList,
    predicates: Mapping[str, int],
    derived: Collection[str],
    constants: Collection[str],
) -> Schema:
    """Read an action; the last three arguments decide whether it is plain STRIPS."""
    if len(tree.items) < 2 or not isinstance(tree.items[1], Atom):
        raise PddlError("an action needs a name", tree)
    name = tree.items[1].text
    fields = _fields(tree, name)
    parameter_list = fields[":parameters"]
    parameters = tuple(read_names(parameter_list.items)) if parameter_list else ()
    for variable, _ in parameters:
        if not variable.startswith("?"):
            raise PddlError(f"parameter '{variable}' of action '{name}' must start with '?'", tree)
    precondition, effect = fields[":precondition"], fields[":effect"]
    reject_numeric_conditions(tree, f"action '{name}'")
    cost = _cost(effect, name, dict(parameters), predicates) if effect else None
    terms = {variable for variable, _ in parameters} | set(constants)
    strips = _strips(precondition, effect, predicates, derived, terms)
    return Schema(name, parameters, parameter_list, precondition, effect, cost, strips, tree)


def reject_numeric_conditions(tree: SList, where: str) -> None:
    """Raise if a condition compares numbers."""
    for node in all_lists(tree):
        operator = head(node)
        if operator in _COMPARISONS or (
            operator == "=" and any(isinstance(item, SList) for item in node.items)
        ):
            raise PddlError(
                f"{where} compares numbers in '{render(node)}'; "
                "numeric planning beyond (total-cost) is not supported",
                node,
            )


def conjoined_literals(node: Node | None) -> tuple[list[Literal], bool]:
    """The literals at the top level of a condition or effect, and whether that is all of it.

    Numeric effects are passed over: they are no literals, and say nothing of states.
    """
    if node is None or (isinstance(node, SList) and not node.items):
        return [], True
    if isinstance(node, Atom):
        return [], False
    if head(node) == "and":
        found: list[Literal] = []
        complete = True
        for item in node.items[1:]:
            literals, all_of_it = conjoined_literals(item)
            found += literals
            complete = complete and all_of_it
        return found, complete
    if head(node) == "increase":
        return [], True
    positive = True
    if head(node) == "not" and len(node.items) == 2:
        node = node.items[1]
        positive = False
    atom = words(node)
    if not atom or atom[0] in _CONNECTIVES:
        return [], False
    return [Literal(atom[0], atom[1:], positive)], True


def _fields(tree: SList, name: str) -> dict[str, SList | None]:
    """The lists behind ``:parameters``, ``:precondition`` and ``:effect``."""
    fields: dict[str, SList | None] = {":parameters": None, ":precondition": None, ":effect": None}
    rest = tree.items[2:]
    for keyword, value in zip(rest[::2], (*rest[1::2], None), strict=False):
        if not isinstance(keyword, Atom) or keyword.text not in fields:
            raise PddlError(
                f"action '{name}': expected :parameters, :precondition or :effect, "
                f"found '{render(keyword)[:40]}'",
                keyword,
            )
        if not isinstance(value, SList):
            raise PddlError(f"action '{name}': expected '(' behind {keyword.text}", keyword)
        if fields[keyword.text] is not None:
            raise PddlError(f"action '{name}' has two {keyword.text}", keyword)
        fields[keyword.text] = value
    return fields


def _cost(
    effect: SList,
    name: str,
    parameters: Mapping[str, TypeNames],
    predicates: Mapping[str, int],
) -> CostExpression | None:
    cost = None
    for node, nested in _numeric_effects(effect, False, predicates):
        if head(node) != "increase" or len(node.items) != 3 or not _is_total_cost(node.items[1]):
            raise PddlError(
                f"action '{name}' has the effect '{render(node)}'; "
                "numeric planning beyond (increase (total-cost) ...) is not supported",
                node,
            )
        if nested:
            raise PddlError(
                f"action '{name}' increases (total-cost) inside 'forall' or 'when'; "
                "an action must have one cost, at the top level of its effect",
                node,
            )
        if cost is not None:
            raise PddlError(f"action '{name}' increases (total-cost) twice", node)
        cost = _expression(node, name, parameters)
    return cost


def _numeric_effects(
    node: Node, nested: bool, predicates: Mapping[str, int]
) -> Iterator[tuple[SList, bool]]:
    """Each numeric effect, and whether it stands inside ``forall`` or ``when``."""
    if isinstance(node, Atom):
        return
    word = head(node)
    if word == "and":
        for item in node.items[1:]:
            yield from _numeric_effects(item, nested, predicates)
    elif word in ("forall", "when"):
        for item in node.items[2:]:
            yield from _numeric_effects(item, True, predicates)
    elif word == "increase" or (word in NUMERIC_EFFECTS and word not in predicates):
        yield node, nested


def _is_total_cost(node: Node) -> bool:
    return render(node) in ("(total-cost)", "total-cost")


def _expression(effect: SList, name: str, parameters: Mapping[str, TypeNames]) -> CostExpression:
    amount = effect.items[2]
    if isinstance(amount, Atom):
        value = read_number(amount.text)
        if value is not None:
            return CostExpression(value, effect)
    term = (amount.text,) if isinstance(amount, Atom) else words(amount)
    if not term or term[0] in _ARITHMETIC or term[0] == "total-cost" or term[0].startswith("?"):
        raise PddlError(
            f"action '{name}' costs '{render(amount)}'; "
            "a cost must be a number or a function term such as (distance ?a ?b)",
            effect,
        )
    for argument in term[1:]:
        if argument.startswith("?") and argument not in parameters:
            raise PddlError(
                f"the cost of action '{name}' uses {argument}, which is not one of its parameters",
                effect,
            )
    return CostExpression(term, effect)


def _strips(
    precondition: SList | None,
    effect: SList | None,
    predicates: Mapping[str, int],
    derived: Collection[str],
    terms: Collection[str],
) -> StripsSchema | None:
    def is_plain(literal: Literal, equality: bool) -> bool:
        arity = 2 if equality and literal.predicate == "=" else predicates.get(literal.predicate)
        return (
            len(literal.arguments) == arity
            and (equality or literal.predicate != "=")
            and literal.predicate not in derived
            and all(argument in terms for argument in literal.arguments)
        )

    conditions, whole_precondition = conjoined_literals(precondition)
    effects, whole_effect = conjoined_literals(effect)
    if (
        whole_precondition
        and whole_effect
        and all(is_plain(literal, True) for literal in conditions)
        and all(is_plain(literal, False) for literal in effects)
    ):
        return StripsSchema(tuple(conditions), tuple(effects))
    return None
