"""What PDDL says of costs: C̄ of each action, and the values of functions.

Two places may contradict each other, and a value may be missing or no whole number. That matters
only to those who use it, so it is written down as a sentence in place of the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plancost.case.grounding import Grounding, Request
from plancost.case.model import PddlTexts
from plancost.case.values import LARGEST_GIVEN, decimal, shown

_TOTAL_COST = "(total-cost)"
_ARITHMETIC = ("+", "-", "*", "/")


def pddl_texts(
    request: Request, grounding: Grounding, names: Sequence[str], actions: Iterable[str]
) -> PddlTexts:
    """The texts of some problems, and what they say of the costs of these actions."""
    values = _Values()
    for name in names:
        for term, text in grounding.values[name]:
            if term != _TOTAL_COST:
                values.take(term, text, request.place(name))
    costs: dict[str, int] = {}
    wrong = dict(values.wrong)
    if any(schema.amounts for schema in grounding.schemas.values()):
        for action in actions:
            found = _cost(action, grounding, values, request.domain_place)
            if isinstance(found, str):
                wrong[action] = found
            else:
                costs[action] = found
    return PddlTexts(
        request.domain,
        {name: request.problems[name] for name in names},
        {name: schema.parameters for name, schema in grounding.schemas.items()},
        costs,
        values.known,
        wrong,
    )


@dataclass
class _Values:
    """Values of functions from all problems."""

    known: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    _places: dict[str, Path | str] = field(default_factory=dict)

    def take(self, term: str, text: str, place: Path | str) -> None:
        """Take in a value, unless it is wrong or another one was given before."""
        if term in self.wrong:
            return
        value = decimal(text)
        if value is None or value.denominator != 1 or not 0 <= value <= LARGEST_GIVEN:
            self._refuse(
                term,
                f"{place}: {term} is {shown(text)}, and must be a whole number from 0 to "
                f"{LARGEST_GIVEN}",
            )
        elif self.known.setdefault(term, int(value)) != value:
            self._refuse(
                term,
                f"{place}: {term} is {text}, but {self._places[term]} says {self.known[term]}",
            )
        else:
            self._places.setdefault(term, place)

    def _refuse(self, term: str, sentence: str) -> None:
        self.known.pop(term, None)
        self.wrong[term] = sentence


def _cost(action: str, grounding: Grounding, values: _Values, domain: Path | str) -> int | str:
    """C̄ of an action, or why it has none."""
    name, *arguments = action.strip("()").split()
    schema = grounding.schemas[name]
    if not schema.amounts:
        return 0
    first = schema.amounts[0]
    if len(schema.amounts) > 1 or first["conditional"] or not _is_term(first["amount"]):
        return (
            f"{domain}: the cost of '{name}' must be one (increase (total-cost) ...) at the top "
            "level of its effect, by a number or a function such as (distance ?a ?b)"
        )
    amount = first["amount"][0]
    given = None if isinstance(amount, list) else decimal(amount)
    if given is not None:
        if given.denominator == 1 and 0 <= given <= LARGEST_GIVEN:
            return int(given)
        return (
            f"{domain}: '{name}' costs {shown(amount)}, and a cost must be a whole number from 0 "
            f"to {LARGEST_GIVEN}"
        )
    words: list[str] = amount if isinstance(amount, list) else [str(amount)]
    ground = dict(zip(schema.parameters, arguments, strict=True))
    term = f"({' '.join(ground.get(word, word) for word in words)})"
    if term in values.wrong:
        return values.wrong[term]
    if term not in values.known:
        return f"no problem gives a value to {term}, which is the cost of {action} in {domain}"
    return values.known[term]


def _is_term(amount: list[Any]) -> bool:
    """Whether it is one number, or one function with plain arguments."""
    if len(amount) != 1:
        return False
    if isinstance(amount[0], str):
        return True
    words = amount[0]
    return bool(words) and words[0] not in _ARITHMETIC and all(isinstance(w, str) for w in words)
