"""What PDDL says of costs: C̄ of each action, and the values of functions.

Two places may contradict each other, and a value may be missing or no whole number. That matters
only to those who use it, so it is written down as a sentence in place of the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plancost.case.values import LARGEST_GIVEN, decimal, shown

_TOTAL_COST = "(total-cost)"
_WHOLE = f"must be a whole number from 0 to {LARGEST_GIVEN}"

Values = Mapping[str, int]
Sentences = dict[str, str]


def read_costs(
    actions: Iterable[str],
    schemas: Mapping[str, Any],
    values: Mapping[str, Sequence[tuple[str, str]]],
    domain_place: Path | str,
) -> tuple[dict[str, int], dict[str, int], Sentences]:
    """Costs of actions (none if no schema has any), values of functions, and what is wrong.

    `values` are what each problem, by its place, gives to functions; `schemas` have parameters,
    and costs as numbers or functions with arguments, None if it is anything else.
    """
    functions, wrong = _functions(values)
    costs: dict[str, int] = {}
    sentences = dict(wrong)
    if any(schema["costs"] for schema in schemas.values()):
        for action in actions:
            found = _cost(action, schemas, functions, wrong)
            if isinstance(found, str):
                sentences[action] = f"{domain_place}: {found}"
            else:
                costs[action] = found
    return costs, functions, sentences


def _functions(
    values: Mapping[str, Sequence[tuple[str, str]]],
) -> tuple[dict[str, int], Sentences]:
    first: dict[str, tuple[int, str]] = {}
    wrong: Sentences = {}
    for place, own in values.items():
        for term, text in own:
            value = _whole(text)
            if term == _TOTAL_COST:
                continue
            if value is None:
                wrong.setdefault(term, f"{place}: {term} is {shown(text)}, and {_WHOLE}")
            elif (before := first.setdefault(term, (value, place)))[0] != value:
                said = f"{place}: {term} is {text}, but {before[1]} says {before[0]}"
                wrong.setdefault(term, said)
    return {term: value for term, (value, _) in first.items() if term not in wrong}, wrong


def _cost(
    action: str, schemas: Mapping[str, Any], functions: Values, wrong: Sentences
) -> int | str:
    """C̄ of an action, or why it has none."""
    name, *arguments = action.strip("()").split()
    parameters, costs = schemas[name]["parameters"], schemas[name]["costs"]
    if not costs:
        return 0
    if costs[0] is None or len(costs) > 1:
        return (
            f"the cost of '{name}' must be one (increase (total-cost) ...) at the top level of its "
            "effect, by a number or a function such as (distance ?a ?b)"
        )
    words = costs[0]
    if decimal(words[0]) is not None:
        value = _whole(words[0])
        return f"the cost of '{name}' {_WHOLE}, not {shown(words[0])}" if value is None else value
    ground = dict(zip(parameters, arguments, strict=True))
    term = f"({' '.join(ground.get(word, word) for word in words)})"
    missing = f"no problem gives a value to {term}, which is the cost of {action}"
    return functions.get(term, wrong.get(term, missing))


def _whole(text: str) -> int | None:
    value = decimal(text)
    is_whole = value is not None and value.denominator == 1 and 0 <= value <= LARGEST_GIVEN
    return int(value) if value is not None and is_whole else None
