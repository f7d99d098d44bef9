"""Plan files in the format of the planning competitions.

One ``(action argument ...)`` a line, ``;`` starts a comment, upper and lower
case are the same. ``action argument ... (cost)``, as Fast Downward prints plans, is a step too;
the cost is not used. Windows line ends, a byte order mark and blanks inside the
parentheses are tolerated, since planners and editors write them. Outside of comments only
ASCII may stand, as in PDDL: no other letter looks like one, and no other sign ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from plancost.errors import InputError
from plancost.files.input_files import BLANKS, read_text, text_lines

Plan = tuple[str, ...]
"""The steps of a plan as action names: ``("(move a b)", "(move b c)")``."""

_STEP = re.compile(r"\(\s*([^\s()]+(?:\s+[^\s()]+)*)\s*\)")
_PRINTED_STEP = re.compile(r"([^\s()]+(?:\s+[^\s()]+)*)\s*\(\d+\)")
"""As Fast Downward prints a step on the terminal, with its cost: ``move a b (1)``."""
_TEMPORAL_STEP = re.compile(r"\d+(?:\.\d+)?\s*:\s*\(")


def action_name(words: str) -> str:
    """The one spelling of an action that plancost uses: ``(drive van1 a b)``."""
    return "(" + " ".join(words.lower().replace("(", " ").replace(")", " ").split()) + ")"


def plan_cost(plan: Plan, costs: Mapping[str, int]) -> int:
    """What a plan costs."""
    return sum(costs[name] for name in plan)


def parse_plan(text: str, path: Path | None = None, *, any_letters: bool = False) -> Plan:
    """Read the steps of a plan; `path` is only for error messages.

    `any_letters`: names that did not come from PDDL may have letters outside ASCII.
    """
    steps: list[str] = []
    for number, line in enumerate(text_lines(text.removeprefix("\ufeff")), start=1):
        content = line.partition(";")[0].strip(BLANKS)
        if not content:
            continue
        if not (any_letters or content.isascii()):
            raise InputError(
                f"'{content[:60]}' holds a character outside ASCII, which plans have only in "
                "comments",
                path,
                number,
            )
        if _TEMPORAL_STEP.match(content):
            raise InputError(
                f"'{content[:60]}' is a step of a temporal plan; plancost reads sequential plans, "
                "one '(action argument ...)' a line",
                path,
                number,
            )
        match = _STEP.fullmatch(content) or _PRINTED_STEP.fullmatch(content)
        if match is None:
            raise InputError(
                f"expected one '(action argument ...)' on the line, found '{content[:60]}'",
                path,
                number,
            )
        steps.append(action_name(match.group(1)))
    return tuple(steps)


def read_plan(path: Path) -> Plan:
    """Read a plan file."""
    return parse_plan(read_text(path, "this plan"), path)


def write_plan(plan: Plan) -> str:
    """The text of a plan file."""
    return "".join(f"{step}\n" for step in plan)
