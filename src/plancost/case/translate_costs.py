# SPDX-License-Identifier: GPL-3.0-or-later
# Under the GNU General Public License, version 3 or later: see translate_program.py.
"""What PDDL says of costs, taken out of the nested lists that the translator reads."""

from __future__ import annotations

import re
from typing import Any

from fast_downward.translate.pddl_parser.parse_error import ParseError

_NUMBER = re.compile(r"[+-]?\.?\d.*")


def take_costs(domain: list[Any]) -> dict[str, Any]:
    """Take cost effects out; for each schema its parameters and the costs that it adds."""
    schemas: dict[str, Any] = {}
    for section in domain:
        if section[:1] != [":action"] or len(section) < 2:
            continue
        name = str(section[1])
        if name in schemas:
            raise ParseError(f"two actions are called '{name}'")
        if ":effect" not in section:
            section += [":effect", ["and"]]
        place = section.index(":effect") + 1
        costs: list[Any] = []
        section[place] = _without_costs(section[place], costs, True) or ["and"]
        parameters = section[section.index(":parameters") + 1] if ":parameters" in section else ()
        names = [word for word in parameters if isinstance(word, str) and word.startswith("?")]
        schemas[name] = {"parameters": names, "costs": costs}
    return schemas


def _without_costs(effect: Any, costs: list[Any], always: bool) -> Any:
    """The rest of an effect; each cost is a number, a function with arguments, or None if other."""
    if not isinstance(effect, list):
        return effect
    if effect[:2] in (["increase", ["total-cost"]], ["increase", "total-cost"]):
        amount = effect[2:]
        words = amount[0] if amount and isinstance(amount[0], list) else amount
        is_plain = len(amount) == 1 and always and all(isinstance(word, str) for word in words)
        costs.append(words if is_plain else None)
        return ["and"]
    always = always and effect[:1] == ["and"]
    return [_without_costs(part, costs, always) for part in effect]


def take_values(problem: list[Any]) -> list[list[str]]:
    """Take values of functions and the metric out of a problem; the values, as term and text."""
    values = []
    problem[:] = [part for part in problem if part[:1] != [":metric"]]
    for init in (part for part in problem if part[:1] == [":init"]):
        for fact in filter(_is_value, init):
            term = fact[1] if isinstance(fact[1], list) else [fact[1]]
            values.append([f"({' '.join(map(str, term))})", fact[2]])
        init[:] = [fact for fact in init if fact and not _is_value(fact)]
    return values


def _is_value(fact: Any) -> bool:
    return fact[:1] == ["="] and len(fact) == 3 and bool(_NUMBER.fullmatch(str(fact[2])))
