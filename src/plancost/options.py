"""What can be asked of `learn`: one field for each option, from which the flags are made.

`checked` is the one place that checks values, for the command line and for the library. Messages
name options as in the library, between backquotes; the command line writes its flags instead.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from plancost.errors import InputError, UsageError
from plancost.values import decimal, ratio, shown, whole

Check = Callable[[Any, str], Any]
"""From a value and what messages call it to what is kept of it."""
_NOT_KEPT = ("solution", "alternatives", "jobs", "scheduler")


def _one_of(choices: Sequence[str]) -> Check:
    def check(value: Any, what: str) -> str:
        if isinstance(value, str) and value in choices:
            return str(value)
        allowed = ", ".join(choices[:-1]) + f" or {choices[-1]}"
        raise InputError(f"{what} must be {allowed}, not {shown(value)}")

    return check


def _count(least: int) -> Check:
    return lambda value, what: whole(value, what, least=least, text=True)


def _alternatives(value: Any, what: str) -> str | int:
    if isinstance(value, str) and value in ("exact", "all", "baseline"):
        return str(value)
    try:
        return whole(value, what, least=1, text=True)
    except InputError:
        words = "must be exact, all, baseline or a number of alternatives of at least 1"
        raise InputError(f"{what} {words}, not {shown(value)}") from None


def _suboptimality(value: Any, what: str) -> str | None:
    found = ratio(value, what)
    return None if found == 1 else str(found)


def _refine(value: Any, what: str) -> bool | str | Path | Mapping[str, int]:
    if isinstance(value, str | Path | Mapping):
        return value
    if hasattr(value, "costs"):  # a result
        return {"costs": value.costs}
    try:
        return {False: False, True: True}[value]
    except (KeyError, TypeError):
        words = "must be true or false, a column, a file or a mapping of costs"
        raise InputError(f"{what} {words}, not {shown(value)}") from None


def _bounds(value: Any, what: str) -> str | Path | Mapping[str, Any]:
    if isinstance(value, str | Path | Mapping):
        return value
    raise InputError(f"{what} must be a file or a mapping, not {shown(value)}")


def _time_limit(value: Any, what: str) -> float | None:
    if value is None or value == "none":
        return None
    found = decimal(value)
    if found is None or found <= 0:
        raise InputError(f"{what} must be a number of seconds above 0, or none, not {shown(value)}")
    return float(found)


def texts(value: Any, what: str) -> tuple[str, ...]:
    """One text or several."""
    found = () if value is None else value
    names = tuple(found) if isinstance(found, Iterable) and not isinstance(found, str) else (found,)
    for name in names:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"{what} must be texts such as 'schema', not {shown(name)}")
    return names


def _option(
    default: Any, words: str, metavar: str = "", check: Check | None = None, choices: Any = None
) -> Any:
    check = check or _one_of(choices)
    metadata = {"help": words, "check": check, "metavar": metavar, "choices": choices}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """Options of `learn`; names are those of the flags."""

    solution: str = _option(
        "mcf",
        "when a plan counts as optimal; or likely: costs under which plans are most likely",
        choices=("mcf", "scf", "icf", "likely"),
    )
    ties: str = _option(
        "none",
        "scf: plans of equal cost that do not count against a plan: none, other orders of the "
        "same actions, or plans observed on the same task",
        choices=("none", "reorderings", "observed"),
    )
    suboptimality: str | float | int | None = _option(
        None, "a plan counts if it costs at most W times as much as any other", "W", _suboptimality
    )
    refine: bool | str | Path | Mapping[str, int] = _option(
        False,
        "stay close to known costs: those of the PDDL, a column of links.csv, or a file of costs",
        "FROM",
        _refine,
    )
    bounds: Path | str | Mapping[str, Any] | None = _option(
        None, 'JSON such as {"(drive * b)": [2, 5]}', "FILE", _bounds
    )
    features: tuple[str, ...] = _option(
        (),
        "what costs are made of (likely: shrunk towards): 'schema', 'drive ?from ?to', a column, "
        "turns, none; repeatable",
        "SPEC",
        texts,
    )
    groups: int | None = _option(
        None, "learn K cost functions and divide the plans", "K", _count(2)
    )
    alternatives: str | int = _option(
        "exact",
        "exact, all, baseline, or K alternatives a plan (the paper)",
        "WHICH",
        _alternatives,
    )
    solver: str = _option("scip", "of the paper's integer program", choices=("scip", "cbc"))
    oracle: str = _option(
        "auto", "who looks for cheaper plans", choices=("auto", "graph", "planners")
    )
    time_limit: float | None = _option(
        300.0, "seconds for the whole command, or none", "S", _time_limit
    )
    memory_limit: int | None = _option(None, "megabytes", "MB", _count(1))
    jobs: int | None = _option(None, "processes at a time (default: cores)", "N", _count(1))
    seed: int = _option(0, "of everything random", "N", _count(0))
    scheduler: str | None = _option(
        None,
        "likely: the address of a Dask scheduler, whose workers compute",
        "ADDRESS",
        lambda value, _: str(value),
    )

    def factor(self, own: Fraction | None) -> Fraction:
        """How many times as much as others a plan may cost, unless it has a factor of its own."""
        if own is not None or self.suboptimality is None:
            return own or Fraction(1)
        return ratio(self.suboptimality, "suboptimality")


def checked(**values: Any) -> LearnOptions:
    """Options with these values; raises `UsageError` in the words of the caller."""
    known = {option.name: option for option in fields(LearnOptions)}
    clean = {}
    for name, value in values.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise UsageError(f"there is no option {shown(name)}{hint}")
        if value is None and known[name].default is None:
            continue
        try:
            clean[name] = known[name].metadata["check"](value, f"`{name}`")
        except InputError as error:
            raise UsageError(str(error)) from error
    options = LearnOptions(**clean)
    for words in _contradictions(options):
        raise UsageError(words)
    return options


def as_json(options: LearnOptions) -> dict[str, Any]:
    """All options that change the meaning of an answer, as RESULT.json keeps them."""
    kept = {name: value for name, value in vars(options).items() if name not in _NOT_KEPT}
    found: dict[str, Any] = json.loads(json.dumps(kept, default=_plain))
    return found


def _plain(value: Any) -> Any:
    """What JSON has no form of: mappings, paths, numbers of NumPy."""
    if isinstance(value, Mapping):
        return dict(value)
    number = decimal(value)
    if number is None:
        return str(value)
    return int(number) if number.denominator == 1 else float(number)


def _contradictions(options: LearnOptions) -> Iterator[str]:
    """What makes no sense together."""
    is_exact, is_baseline = options.alternatives == "exact", options.alternatives == "baseline"
    has_factor, has_groups = options.suboptimality is not None, options.groups is not None
    if options.solution == "likely":
        if options.bounds is not None or has_factor or not is_exact:
            yield "`bounds`, `suboptimality` and `alternatives` do not go with `solution` likely"
        if has_groups:
            yield "`groups` does not go with `solution` likely: a column `group` does"
        if options.oracle == "planners":
            yield "`solution` likely needs state graphs: leave `oracle` out"
    elif options.scheduler is not None:
        yield "`scheduler` is for `solution` likely: other concepts run on this machine"
    if "none" in options.features and len(options.features) > 1:
        yield "`features` none does not go with other features"
    if options.ties != "none" and options.solution != "scf":
        yield "`ties` belongs to `solution` scf: in other concepts plans of equal cost do not count"
    if has_factor and options.solution == "scf":
        yield "`suboptimality` does not go with `solution` scf; take mcf or icf"
    if has_groups and options.solution == "icf":
        yield "`groups` does not go with `solution` icf: it is about all plans"
    if (has_groups or options.features) and not is_exact:
        yield "`groups` and `features` need `alternatives` exact"
    if has_factor and not is_exact and not is_baseline:
        yield "`suboptimality` needs `alternatives` exact: the paper's program does not have it"
    if options.solver != "scip" and (is_exact or is_baseline):
        yield "`solver` is of the paper's integer program: give `alternatives` a number, or all"
