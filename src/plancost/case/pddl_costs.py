"""What PDDL says of costs: C̄ of each action, and the values of functions.

Two places may contradict each other, and a value may be missing or no whole number. That matters
only to those who use it, so it is written down as a sentence in place of the value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from plancost.case.grounding import Grounding, Request
from plancost.case.model import PddlTexts
from plancost.case.values import LARGEST_GIVEN, decimal, shown

_TOTAL_COST = "(total-cost)"
_WHOLE = f"must be a whole number from 0 to {LARGEST_GIVEN}"


def pddl_texts(request: Request, grounding: Grounding) -> PddlTexts:
    """The texts of problems, and what they say of the costs of their actions."""
    values = _Values()
    for name, own in grounding.values.items():
        for term, text in own:
            if term != _TOTAL_COST:
                values.take(term, text, request.place(name))
    costs: dict[str, int] = {}
    wrong = dict(values.wrong)
    if any(schema.costs for schema in grounding.schemas.values()):
        for action in grounding.actions:
            found = _cost(action, grounding, values)
            if isinstance(found, str):
                wrong[action] = f"{request.domain_place}: {found}"
            else:
                costs[action] = found
    schemas = {name: schema.parameters for name, schema in grounding.schemas.items()}
    return PddlTexts(request.domain, dict(request.problems), schemas, costs, values.known, wrong)


@dataclass
class _Values:
    """Values of functions from all problems."""

    known: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    _places: dict[str, Path | str] = field(default_factory=dict)

    def take(self, term: str, text: str, place: Path | str) -> None:
        """Take in a value, unless it is wrong or another one was given before."""
        value = _whole(text)
        first = self._places.setdefault(term, place)
        if term in self.wrong:
            return
        if value is None:
            self.wrong[term] = f"{place}: {term} is {shown(text)}, and {_WHOLE}"
        elif self.known.setdefault(term, value) != value:
            self.wrong[term] = f"{place}: {term} is {text}, but {first} says {self.known[term]}"
        if term in self.wrong:
            self.known.pop(term, None)


def _cost(action: str, grounding: Grounding, values: _Values) -> int | str:
    """C̄ of an action, or why it has none."""
    name, *arguments = action.strip("()").split()
    schema = grounding.schemas[name]
    if not schema.costs:
        return 0
    words = schema.costs[0]
    if words is None or len(schema.costs) > 1:
        return (
            f"the cost of '{name}' must be one (increase (total-cost) ...) at the top level of its "
            "effect, by a number or a function such as (distance ?a ?b)"
        )
    if decimal(words[0]) is not None:
        value = _whole(words[0])
        return f"the cost of '{name}' {_WHOLE}, not {shown(words[0])}" if value is None else value
    ground = dict(zip(schema.parameters, arguments, strict=True))
    term = f"({' '.join(ground.get(word, word) for word in words)})"
    missing = f"no problem gives a value to {term}, which is the cost of {action}"
    return values.known.get(term, values.wrong.get(term, missing))


def _whole(text: str) -> int | None:
    value = decimal(text)
    is_whole = value is not None and value.denominator == 1 and 0 <= value <= LARGEST_GIVEN
    return int(value) if value is not None and is_whole else None
