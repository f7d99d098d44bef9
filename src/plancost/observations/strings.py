"""A case out of PDDL texts and plans that are in no file.

Messages and results name each text by a label: ``domain (string)``, ``problem 'p1'``,
``plan 3 of problem 'p1'``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.files.input_files import BLANKS
from plancost.observations.case import Case, Loading, ReadCase, build_case
from plancost.observations.files import ObservedFile, checked_count
from plancost.observations.pddl import Problem, parse_domain, parse_problem
from plancost.observations.planfile import Plan, action_name, parse_plan
from plancost.progress.shown import shows_progress
from plancost.system.executors import LocalExecutor
from plancost.system.processes import Limits
from plancost.system.progress import Progress
from plancost.system.values import shown

PlanText = str | Sequence[str]
"""The text of a plan file, or the names of its actions: ``["(move a b)", "(move b c)"]``."""
ObservedText = tuple[str, PlanText] | tuple[str, PlanText, int]
"""The name of a problem, a plan that was seen to solve it, and how often (once if left out)."""

_WORDS = r"[!-'*-:<-~]+(?:\s+[!-'*-:<-~]+)*"
"""Of all signs of ASCII that are no blanks, not the parentheses and ``;``."""
_ACTION = re.compile(rf"\(\s*{_WORDS}\s*\)|{_WORDS}", re.ASCII)
_NOT_FOR_FILES = re.compile(r"[^\w.-]+")
_LONGEST_NAME = 60
"""Letters of a file name; a file system takes 255 bytes, and a letter may have four."""


@shows_progress
def case_from_strings(
    domain: str,
    problems: Mapping[str, str],
    plans: Sequence[ObservedText],
    *,
    domain_label: str = "domain (string)",
    skip_invalid: bool = False,
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    jobs: int = 1,
    progress: Progress | bool = False,
) -> Case:
    """A case without files.

    Args:
        domain: The text of the PDDL domain.
        problems: The texts of PDDL problems, by name.
        plans: Each ``(problem, plan)`` or ``(problem, plan, count)``; the plan is a text as in a
            plan file, or the names of its actions.
        domain_label: What messages call the domain.
        skip_invalid: Whether to leave out, with a note, plans that do not solve their problem.
        limits: On time for all problems together, and on memory.
        jobs: How many problems to ground at the same time.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many problems are grounded.

    Returns:
        The tasks, the observed plans, and all ground actions.

    Raises:
        InputError: A text is wrong.
        InvalidPlanError: A plan does not solve its problem.
        UsageError: Something given is not of its kind.
    """
    assert not isinstance(progress, bool)
    _check_kinds(domain, problems, plans)
    the_domain = parse_domain(domain, Path(domain_label), "domain.pddl")
    labels = _labels(problems)
    texts: dict[Path, PlanText] = {}
    observed: list[ObservedFile] = []
    seen: Counter[str] = Counter()
    for number, item in enumerate(plans, start=1):
        name, text, count = _parts(number, item, labels)
        seen[name] += 1
        plan = Path(f"plan {seen[name]} of problem '{name}'")
        observed.append(ObservedFile(labels[name], plan, checked_count(count, plan)))
        texts[plan] = text
    if not observed:
        raise InputError("there is no plan to learn from")
    read = ReadCase(
        Path(),
        the_domain,
        {labels[n]: _problem(text, n, labels[n]) for n, text in problems.items() if n in seen},
        observed,
        lambda item: _steps(texts[item.plan], item.plan),
        [f"{labels[n]} has no observed plan and is not used" for n in problems if n not in seen],
        None,
    )
    return build_case(read, Loading(skip_invalid, limits, LocalExecutor(jobs), progress))


def _check_kinds(domain: object, problems: object, plans: object) -> None:
    if not isinstance(domain, str):
        raise UsageError(f"domain must be the text of a PDDL domain, not {shown(domain)}")
    if not isinstance(problems, Mapping):
        raise UsageError(f"problems must be texts by name, not {shown(problems)}")
    for name, text in problems.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise UsageError(f"problems must be texts by name, not {shown({name: text})}")
    if not isinstance(plans, Iterable):
        raise UsageError(f"plans must be a list of (problem, plan), not {shown(plans)}")


def _labels(problems: Mapping[str, str]) -> dict[str, Path]:
    """What messages call each problem."""
    labels = {name: Path(f"problem '{name}'") for name in problems}
    again = [label for label, count in Counter(labels.values()).items() if count > 1]
    if again:
        raise InputError(f"two problems are called {again[0]}; give them other names")
    return labels


def _parts(
    number: int, item: ObservedText, labels: Mapping[str, Path]
) -> tuple[str, PlanText, object]:
    """The problem, plan and count of what was observed."""
    if isinstance(item, str) or not isinstance(item, Sequence) or len(item) not in (2, 3):
        raise InputError(f"plan {number}: expected (problem, plan) or (problem, plan, count)")
    name, text, count = (*item, 1)[:3]
    if name not in labels:
        known = ", ".join(labels) or "none"
        raise InputError(f"plan {number} is of problem '{name}', which is not given ({known})")
    return name, text, count


def _problem(text: str, name: str, label: Path) -> Problem:
    words = _NOT_FOR_FILES.sub("-", name.removesuffix(".pddl")).strip("-.")[:_LONGEST_NAME]
    return parse_problem(text, label, f"{words or 'problem'}.pddl")


def _steps(plan: PlanText, label: Path) -> Plan:
    if isinstance(plan, str):
        return parse_plan(plan, label)
    if not isinstance(plan, Sequence):
        raise InputError(f"the plan is {shown(plan)}; expected a text or a list of actions", label)
    for number, step in enumerate(plan, start=1):
        if not isinstance(step, str) or _ACTION.fullmatch(step.strip(BLANKS)) is None:
            raise InputError(
                f"step {number} is {step!r}; expected an action such as '(move a b)'", label
            )
    return tuple(action_name(step) for step in plan)
