"""What PDDL says of costs: of each action by its ``(increase (total-cost) ...)``, by functions."""

from __future__ import annotations

from plancost.case.model import PddlTexts
from plancost.case.values import LARGEST_GIVEN, at, decimal, whole_text
from plancost.errors import InputError


def cost_of_action(texts: PddlTexts, action: str) -> int:
    """C̄ of an action: 1 if no schema adds to the costs, 0 if only its own does not."""
    name, *arguments = action[1:-1].split()
    schema = texts.schemas[name]
    if not schema.costs:
        return 0 if any(other.costs for other in texts.schemas.values()) else 1
    words = schema.costs[0]
    if words is None or len(schema.costs) > 1:
        raise InputError(
            f"the cost of '{name}' must be one (increase (total-cost) ...) at the top level of its "
            "effect, by a number or a function such as (distance ?a ?b)",
            texts.domain_place,
        )
    if decimal(words[0]) is not None:
        with at(texts.domain_place):
            return whole_text(words[0], f"the cost of '{name}'", most=LARGEST_GIVEN)
    ground = dict(zip(schema.parameters, arguments, strict=True))
    return value_of(texts, f"({' '.join(ground.get(word, word) for word in words)})", action)


def value_of(texts: PddlTexts, term: str, action: str) -> int:
    """The value that problems give to a function, on which the cost of an action depends."""
    found: dict[int, str] = {}
    for text, place in texts.values.get(term, {}).items():
        with at(place):
            found.setdefault(whole_text(text, term, most=LARGEST_GIVEN), place)
    if not found:
        raise InputError(f"no problem gives a value to {term}, on which the cost of {action} rests")
    (value, place), *others = found.items()
    for other, where in others:
        raise InputError(f"{where}: {term} is {other}, but {place} says {value}")
    return value
